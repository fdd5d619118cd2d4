; Languages inside the texts of .bot files. Templates are nodes of this grammar
; and are left out of what is handed on.

((comment) @injection.content
  (#set! injection.language "comment"))

((prompt text: (text) @injection.content)
  (#set! injection.language "markdown"))

((property name: (identifier) @_name value: (_ (text) @injection.content))
  (#set! injection.language "markdown")
; generated: prompts
  (#match? @_name "^(instructions|system|user)$"))
; end: prompts

((declaration
    kind: (kind) @_kind
    (block (property name: (identifier) @_name value: (_ (text) @injection.content))))
  (#eq? @_kind "tool")
  (#set! injection.language "bash")
; generated: shell
  (#match? @_name "^(command|postcondition)$"))
; end: shell

; A script is in the language that the property behind it names.
((block
    (property name: (identifier) @_script value: (_ (text) @injection.content))
    (property name: (identifier) @_language value: (typed (word) @_word)))
  (#eq? @_script "script") (#eq? @_language "language")
  (#match? @_word "^(js|node)$")
  (#set! injection.language "javascript"))

((block
    (property name: (identifier) @_script value: (_ (text) @injection.content))
    (property name: (identifier) @_language value: (typed (word) @_word)))
  (#eq? @_script "script") (#eq? @_language "language")
  (#match? @_word "^py")
  (#set! injection.language "python"))

((block
    (property name: (identifier) @_script value: (_ (text) @injection.content))
    (property name: (identifier) @_language value: (typed (word) @_word)))
  (#eq? @_script "script") (#eq? @_language "language")
  (#match? @_word "sh$")
  (#set! injection.language "bash"))
