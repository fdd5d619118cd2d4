// The grammar of .bot files. It is as generous as `iterion grammar`: which
// property may hold what is for the language server to say. No word is
// reserved, so a keyword stands only where the grammar asks for it, and the
// words that would hide a name at the start of a line are named again in _name.

const vocabulary = require('./vocabulary.json');

const expressionKeys = [...vocabulary.expression_properties, ...vocabulary.expression_blocks];

const commaSeparated = rule => optional(seq(rule, repeat(seq(',', rule)), optional(',')));

const block = ($, member) => seq($._indent, repeat1(choice(member, $._no_line)), $._dedent);

module.exports = grammar({
  name: 'bot',

  word: $ => $.identifier,

  // The order is that of enum Token in src/scanner.c.
  externals: $ => [
    $._newline,
    $._indent,
    $._dedent,
    $._text_start,
    $._text,
    $._text_break,
    $.margin,
    $._text_end,
    $._quoted_text,
    $._raw_text,
    $._template_open,
    $._with_open,
    $._with_close,
    $._soft_break,
    ']',
    '}',
    ')',
    $._in_raw_expression, // never there: tells the scanner that a line break is a blank
    $._between, // never there: tells the scanner that a line may begin
    $._error, // never there: valid only while the parser recovers
  ],

  extras: $ => [/\s/, $.comment, $._soft_break],

  supertypes: $ => [$._value, $._element, $._clause],

  rules: {
    source_file: $ => repeat(choice(
      $.profile, $.import, $.use, $.prompt, $.declaration, $.section, $._no_line,
    )),

    profile: $ => seq('dsl', ':', field('version', $._literal), $._newline),

    import: $ => seq('import', field('path', $.string), $._newline),

    use: $ => seq(
      'use', field('group', $.identifier), 'as', field('prefix', $.identifier),
      optional($.with), $._newline,
    ),

    prompt: $ => seq(
      'prompt', field('name', $.identifier), ':',
      optional(seq($._text_start, field('text', alias($._lines, $.text)), $._text_end)),
      $._newline,
    ),

    declaration: $ => seq(
      field('kind', alias($.identifier, $.kind)), field('name', $.identifier),
      optional($.parameters), ':', $._newline, optional($.block),
    ),

    parameters: $ => seq('(', commaSeparated($.identifier), ')'),

    // A value is never right here, but is what a property has under a broken header.
    section: $ => seq(
      field('kind', alias($.identifier, $.kind)), ':',
      optional(field('value', $._value)), $._newline, optional($.block),
    ),

    block: $ => block($, choice(
      $.property, alias($._expression_property, $.property),
      $.declaration, $.edge, $.item, seq($.with, $._newline),
    )),

    property: $ => seq(
      field('name', choice($._plain_name, $.string)), ':',
      optional(field('value', $._value)), $._newline, optional($.block),
    ),

    _expression_property: $ => seq(
      field('name', alias(choice(...expressionKeys), $.identifier)), ':',
      optional($._expression_value), $._newline,
      optional(alias($._expression_block, $.block)),
    ),

    _expression_block: $ => block($, alias($._expression_entry, $.property)),

    _expression_entry: $ => seq(
      field('name', choice($.identifier, $.string)), ':',
      optional($._expression_value), $._newline,
      optional(alias($._expression_block, $.block)),
    ),

    _expression_value: $ => field('value', choice($._expression_text, $._bare_value)),

    item: $ => seq('-', $._element, $._newline),

    _plain_name: $ => choice($.identifier, alias('with', $.identifier)),

    // What a faulty line leaves: the parser comes back here at its end, and not
    // at the header of the block.
    _no_line: $ => choice($._newline, $._between),

    _name: $ => choice($._plain_name, alias(choice(...expressionKeys), $.identifier)),

    // Values

    _value: $ => choice($._text_value, $._bare_value),

    _text_value: $ => choice($.string, $.raw_string),

    _bare_value: $ => choice(
      $.number, $.quantity, $.typed, $.list, $.map, $.block_scalar,
    ),

    typed: $ => seq(
      $.word, repeat(choice($.dimension, $.constraint)),
      optional(seq('=', field('default', $._literal))),
    ),

    word: $ => seq($.identifier, repeat(seq('.', choice($.identifier, '*')))),

    dimension: _ => seq('[', ']'),

    constraint: $ => seq(
      '[', choice('enum', 'matching'), ':', $._text_value, repeat(seq(',', $._text_value)), ']',
    ),

    list: $ => seq('[', commaSeparated($._element), ']'),

    map: $ => seq('{', commaSeparated($.pair), '}'),

    pair: $ => seq(field('key', choice($.identifier, $.string)), ':', field('value', $._element)),

    _element: $ => choice($._literal, $.list, $.map),

    _literal: $ => choice($.string, $.raw_string, $.number, $.quantity, $.word),

    number: _ => /\d+(\.\d+)?/,

    quantity: _ => /\d+(\.\d+)?[A-Za-z_][A-Za-z0-9_.]*/,

    identifier: _ => /[A-Za-z_][A-Za-z0-9_]*/,

    // Edges

    edge: $ => seq(
      field('source', $.node), repeat1(seq('->', field('target', alias($._target, $.node)))),
      repeat($._clause), $._newline,
    ),

    node: $ => seq($._name, repeat(seq('.', $.identifier))),

    _target: $ => seq($.identifier, repeat(seq('.', $.identifier))),

    _clause: $ => choice($.when, $.else, $.foreach, $.loop, $.with),

    when: $ => seq('when', choice(
      seq(optional('not'), field('field', $.identifier)),
      field('field', alias('not', $.identifier)),
      field('condition', $._expression_text),
    )),

    else: _ => 'else',

    foreach: $ => seq(
      'as', 'foreach', field('name', $.identifier),
      '(', field('item', $.identifier), 'in', field('list', $._text_value), ')',
    ),

    loop: $ => seq(
      'as', field('name', choice($.identifier, alias('foreach', $.identifier))),
      '(', field('cap', choice($.unbounded, $.number, $._expression_text)), ')',
    ),

    unbounded: $ => seq('unbounded', optional($.number)),

    with: $ => seq(
      'with', alias($._with_open, '{'), repeat(seq($.with_entry, optional(','))), alias($._with_close, '}'),
    ),

    with_entry: $ => seq(field('name', $.identifier), ':', field('value', $._literal)),

    // Texts

    string: $ => seq('"', optional(alias($._quoted, $.text)), token.immediate('"')),

    raw_string: $ => seq('`', optional(alias($._raw, $.text)), token.immediate('`')),

    block_scalar: $ => seq('|', $._text_start, alias($._lines, $.text), $._text_end),

    _quoted: $ => repeat1(choice($._quoted_text, $.escape, $.template)),

    _raw: $ => repeat1(choice($._raw_text, $.template)),

    _lines: $ => repeat1(choice($._text, $._text_break, $.margin, $.template)),

    escape: _ => token.immediate(/\\[^\n]/),

    template: $ => seq(
      alias($._template_open, '{{'),
      choice(seq(optional('!'), $.reference), alias('"{{"', $.braces), $.include),
      '}}',
    ),

    include: $ => seq('include', $.string),

    reference: $ => seq(
      choice($.identifier, alias('include', $.identifier)),
      repeat(seq('.', alias($._segment, $.identifier))),
    ),

    _segment: _ => token.immediate(/[^{}.\s"`\\]+/),

    comment: _ => /#[^\n]*/,

    // Expressions are a row of tokens: their structure is for the server, and
    // no text between the quotes is an error here.

    _expression_text: $ => choice(
      alias($._quoted_expression_text, $.string),
      alias($._raw_expression_text, $.raw_string),
    ),

    _quoted_expression_text: $ => seq('"', optional(alias($._quoted_expression, $.expression)), '"'),

    _raw_expression_text: $ => seq('`', optional(alias($._raw_expression, $.expression)), '`'),

    _quoted_expression: $ => repeat1(choice(
      $._expression_token, alias($._quoted_literal, $.literal), $._quoted_other,
    )),

    _raw_expression: $ => repeat1(choice(
      $._expression_token, alias($._raw_literal, $.literal), $._raw_other, $._in_raw_expression,
    )),

    _expression_token: $ => choice(
      seq(alias($.identifier, $.function), '('),
      alias($._path, $.reference), $.number, $.operator, $.boolean, $.template,
      '(', ')', '[', ']', '{', '}', ',', ':', '.',
    ),

    _path: $ => prec.right(seq($.identifier, repeat($._member))),

    _member: $ => prec.right(seq('.', optional($.identifier))),

    boolean: _ => choice('true', 'false'),

    operator: _ => choice(
      'and', 'or', 'not', '||', '&&', '!', '==', '!=', '<', '<=', '>', '>=', '=>', '+', '-', '*', '/', '%',
    ),

    _quoted_literal: _ => token(prec(2, choice(
      /'(\\[^\n]|[^'"\\\n])*'/, /\\"(\\[^"\n]|[^"\\\n])*\\"/,
    ))),

    _raw_literal: _ => token(prec(2, choice(/'(\\.|[^'`\\\n])*'/, /"(\\.|[^"`\\\n])*"/))),

    // A hash would else begin a comment.
    _quoted_other: _ => choice(token(prec(1, '#')), token(prec(-1, choice(/\\[^\n]/, /[^"\\\s]/)))),

    _raw_other: _ => choice(token(prec(1, '#')), token(prec(-1, /[^`\s]/))),
  },
});
