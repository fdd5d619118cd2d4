(declaration) @class.around
(declaration (block) @class.inside)
(prompt) @class.around
(prompt text: (text) @class.inside)
(comment) @comment.inside
(comment)+ @comment.around
