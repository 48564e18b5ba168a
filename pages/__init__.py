"""What people see: the pages draw and ask, and decide nothing."""
