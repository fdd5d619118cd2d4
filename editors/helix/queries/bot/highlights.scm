; Colours of .bot files. The names of captures are those that Neovim, Helix and
; Zed share. No node is captured twice: editors differ in which match counts.
; What is special stands on the inner node, which wins everywhere.

(comment) @comment

(property name: (identifier) @property)
(property name: (string (text) @property))
(pair key: (identifier) @property)
(with_entry name: (identifier) @property)

[
  "dsl"
  "import"
  "prompt"
  "use"
  "as"
  "in"
  "with"
  "when"
  "not"
  "foreach"
  "unbounded"
] @keyword

(else) @keyword

((kind) @keyword
; generated: kinds
  (#match? @keyword "^(agent|attachments|await_answers|compute|contract|cursor|emit|fail|group|human|judge|mcp_server|presets|prompt|router|schema|secrets|subbot|supervisor|tool|use|vars|wait|workflow)$"))
; end: kinds

(declaration name: (identifier) @function)
(prompt name: (identifier) @function)
(use group: (identifier) @function prefix: (identifier) @function)
(parameters (identifier) @variable.parameter)
(word) @constant

((typed (word (identifier) @type.builtin))
; generated: types
  (#match? @type.builtin "^(bool|file|float|image|int|json|string)$"))
; end: types

((word (identifier) @constant.builtin)
; generated: words
  (#match? @constant.builtin "^(all|allowlist|append|artifacts_only|ask|async|auto|bash|best_effort|condition|deny|denylist|fail|false|fan_out_all|fan_out_each|fork|fresh|high|http|human|human_or_host|inherit|inherit_if_available|inline|js|llm|llm_or_human|low|max|medium|node|none|null|off|on|open|operator|pause|persist|py|python|python3|recover|replace|required|review|round_robin|sh|sse|stdio|true|ultra|ultracode|wait_all|workspace|xhigh)$"))
; end: words

(dimension) @type
(constraint ["enum" "matching"] @keyword)

(node) @function
((node (identifier) @keyword)
  (#match? @keyword "^(done|fail)$"))
(when field: (identifier) @property)
(loop name: (identifier) @label)
(foreach name: (identifier) @label item: (identifier) @variable.parameter)

(string) @string
(raw_string) @string
(block_scalar (text) @string)
(prompt text: (text) @string)
(escape) @string.escape
(number) @number
(quantity) @number

(template ["{{" "}}" "!"] @punctuation.special)
(template (braces) @string.escape)
(include "include" @keyword)
(expression (literal) @string)
(expression (operator) @operator)
(expression (boolean) @constant.builtin)
(expression (function) @function.builtin)
(reference) @property
(reference . (identifier) @variable)

["->" "=" "|"] @operator
["[" "]" "{" "}" "(" ")"] @punctuation.bracket
["," ":" "."] @punctuation.delimiter
"*" @operator
(item "-" @punctuation.delimiter)
