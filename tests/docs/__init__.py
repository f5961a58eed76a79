"""The documentation, read as its readers would: every block of every page is run or checked.

Each page has a folder of its own, which holds a copy of `examples/`. By the language of a block:

    console     each `$ command` is run and what follows is its answer; a line `...` stands for any lines
    sh          each command must end with exit code 0, or with the one that a remark tells: `# exit code 1`
    python      run, all blocks of a page in one namespace; a value told in a remark (`result.text  # 'x'`) and `>>>` are compared
    yaml        a policy must hold; after `<!-- wrong on purpose -->` it must not
    json, jsonl must be what they say
    text        nothing

A block that begins with `# file: NAME`, or has `<!-- file: NAME -->` before it, is also written into the folder. A server is
started, asked, and ended with the page. `<!-- not run: why -->` leaves a block out; `test_blocks.py` limits how many.
"""
