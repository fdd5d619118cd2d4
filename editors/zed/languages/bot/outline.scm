(declaration kind: (kind) @context name: (identifier) @name) @item
(prompt "prompt" @context name: (identifier) @name) @item
(section kind: (kind) @name) @item
