"""What a student of the demo asks in a talk so long that the tutor reads its beginning as a summary."""

from engine.domain.states import Language


def long_talk(language: Language, trace: str) -> tuple[str, ...]:
    """The questions, in order; some quote `trace`, what the test runner printed."""
    return tuple(question.format(trace=f"```text\n{trace.strip()}\n```") for question in _QUESTIONS[language])


_QUESTIONS = {
    Language.EN: (
        "ok I keep the rows. make me a plan in which order to do the three things",
        "I ran the tests and this is what comes out. what does it mean?\n\n{trace}",
        "so it is the price of Physics I, somebody wrote it as a word. I tried int(row['price'] or 0) but a word is "
        "not empty, so it still raises. I also tried isdigit() before it, and then 12.50 is thrown away without a "
        "sound, which is worse, because the club does write prices like that and nobody would find out. after that "
        "I changed the column to text and compared with a pattern, but my pattern takes -5 as well, and a book "
        "for less than nothing is exactly what we had in the listing task.",
        "which criteria is this judged by again? I only had the tests in mind until now",
        "I put the try around the whole loop and now it stops at the first bad row again, only more quietly. here "
        "is the same run once more, with the version where the loop is inside:\n\n{trace}\n\n"
        "what should I do next, move the try or read the file twice?",
        "why does config/columns.json not count as JSON? my editor shows it in green and python reads the file "
        "without any complaint as long as I do not parse it. this is all there is in it: a brace, the title line "
        "with Buchtitel, the price line with Preis, and the brace that closes it. the last line ends with a comma "
        "because I wanted to add the author later and did not want to forget it.",
        "I removed the comma and ran json.loads on it, that works. then I tried a file of our club with a heading in "
        "capitals, and KeyError: 'price' comes before any row is read. is that a bad row too, or is it the whole "
        "file that is bad? I wrote a check that compares the heading with columns.json and stops before the first "
        "row, and I changed the message so that it names the column that is missing and the ones that were found.",
        "help, I am stuck with the numbers: my list says row 2 and in the spreadsheet it is line 3. the heading is "
        "line 1 there. I counted with enumerate from 1, and when a quoted title runs over two lines everything "
        "behind it is one too low. where should I begin, with line_num of the reader or with my own count? the "
        "tests say nothing of it, they end at the same place as before:\n\n{trace}",
        "I tried line_num and it gives the last line of a row, so a title over two lines is told at its end. for "
        "whoever opens the file the first line is what counts, so I changed it: remember line_num of the row before "
        "and add one. with the file from the test the output now names line 3 and 'twelve', and the other two books "
        "are in. before, this was all that came:\n\n{trace}",
        "what is still missing before I hand in again?",
    ),
    Language.ZH: (
        "那坏行留着。这三件事先做哪件？给我列一份计划吧。",
        "我跑了测试，出来的是这个。什么意思？\n\n{trace}",
        "原来是 Physics I 的价格写成了单词。我试过 int(row['price'] or 0)，可单词不是空的，照样抛异常。"
        "我又试了先用 isdigit() 判断，结果 12.50 也被悄悄丢掉了，这更糟：读书会真的会这么写价格，"
        "丢了谁也不知道。后来我把这一列当文字读，再用正则去比，可我的正则把 -5 也放进来了。"
        "价格小于零的书，正是发布任务里出过的那个问题，我不想在这里再犯一遍。",
        "这个任务到底看哪些标准？我之前只想着测试。",
        "我把 try 包在整个循环外面，结果又是碰到第一行坏的就停，只是不出声了。同样的测试再跑一遍，"
        "循环写在里面的版本是这样：\n\n{trace}\n\n下一步怎么改？是把 try 挪进去，还是把文件读两遍？",
        "为什么 config/columns.json 不算 JSON？编辑器里是绿的，只要不去解析，Python 读这个文件也不报错。"
        "里面一共就这些：一个左花括号，书名那行写 Buchtitel，价格那行写 Preis，再一个右花括号。"
        "最后一行末尾留了个逗号，因为我以后想加作者那一列，怕自己忘了。",
        "我删掉逗号，用 json.loads 跑了一遍，好了。又换了读书会的一个文件来试，表头是大写的，"
        "一行都还没读就 KeyError: 'price'。这算坏行，还是整个文件都算坏？"
        "我加了一个检查：先拿表头和 columns.json 对，对不上就在第一行之前停下来，"
        "提示里写明缺哪一列、找到了哪几列，让寄文件的人自己就能改好。",
        "行号这里卡住了：我列出来是第 2 行，表格软件里是第 3 行，因为那边表头算第 1 行。"
        "我用 enumerate 从 1 开始数，带引号的书名一跨行，后面就全都少一。从哪里下手好？"
        "用 reader 的 line_num，还是我自己数？测试看不出来，还是停在老地方：\n\n{trace}",
        "我试了 line_num，它给的是一条记录的最后一行，书名跨两行时报的是末尾那行。"
        "打开文件的人要看的是开头那行，所以我改了：记住上一条的 line_num，再加一。"
        "拿测试里的文件跑，现在会说第 3 行、'twelve'，另外两本书都进来了。改之前出来的是这些：\n\n{trace}",
        "再交一次之前，还差哪几件事没做？",
    ),
}
