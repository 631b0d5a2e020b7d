import { expect } from 'chai';
import { stripReasoning, stripReasoningAroundJson } from './strip-reasoning.js';

describe('stripReasoning()', () => {
  for (const [description, text, expected] of [
    ['after thoughts', '<think>\nIt crashes.\n</think>\n\nIt is a bug.', 'It is a bug.'],
    ['after empty thoughts', '<think>\n\n</think>\n\nIt is a bug.', 'It is a bug.'],
    ['after thoughts whose tags are in mixed case', '\ufeff <THINK>a <b> </Think> It is a bug.', 'It is a bug.'],
    ['after thoughts in other tags', '<reasoning>a</reasoning><thinking>b</thinking>It is a bug.', 'It is a bug.'],
    ['after thoughts in square brackets', '[THINK]a <think> b[/THINK]It is a bug.', 'It is a bug.'],
    ['after an end tag without a start tag', 'It crashes.\n</think>\n\nIt is a bug.', 'It is a bug.'],
    ['after an end tag without a start tag, with CRLF line ends', 'a\r\n</think>\r\nIt is a bug.', 'It is a bug.'],
    ['after thoughts that contain a start tag', '<think>a <think> b</think>It is a bug.', 'It is a bug.'],
    [
      'in the final channel',
      '<|channel|>analysis<|message|>It crashes.<|end|><|start|>assistant<|channel|>final<|message|>It is a bug.<|return|>',
      'It is a bug.',
    ],
    [
      'in a channel of constrained JSON between thoughts',
      '<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{"a":1}<|end|><|start|>assistant<|channel|>analysis<|message|>b',
      '{"a":1}',
    ],
    ['after an end tag within a line', 'It seems safe.</think>\n\nIt is not.', 'It is not.'],
    ['after several end tags', 'a </think> b\n</think>\nIt is a bug.', 'It is a bug.'],
    ['after tags in other notations', '◁think▷a◁/think▷<seed:think>b</seed:think>It is a bug.', 'It is a bug.'],
    ['after START_THINKING and END_THINKING tokens', '<|START_THINKING|>a<|END_THINKING|>It is a bug.', 'It is a bug.'],
    ['after begin_of_thought tokens', '<|begin_of_thought|>a<|end_of_thought|>It is a bug.', 'It is a bug.'],
    ['after tokens with full-width bars', '<｜begin▁of▁thinking｜>a<｜end▁of▁thinking｜>It is a bug.', 'It is a bug.'],
    ['after a thought channel', '<|channel>thought\na<channel|>It is a bug.', 'It is a bug.'],
    ['after the thinking output of Ollama', 'Thinking...\na\n...done thinking.\n\nIt is a bug.', 'It is a bug.'],
    [
      'after tags with white space and attributes',
      '<think >a</think >\n<think x="y">b</think>It is a bug.',
      'It is a bug.',
    ],
    ['after a scratchpad', '<scratchpad>b</scratchpad>It is a bug.', 'It is a bug.'],
    ['after tags of other language models', '<ant:thinking>a</ant:thinking>It is a bug.', 'It is a bug.'],
    ['around thoughts', 'Sure.\n<think>a</think>It is a bug.', 'Sure.\nIt is a bug.'],
    ['around thoughts with an indent of three', 'Sure.\n   <think>a</think>It is a bug.', 'Sure.\n   It is a bug.'],
    ['around thoughts with code', 'Sure.\n  <think>```\n</think><think>b</think>It is a bug.', 'Sure.\n  It is a bug.'],
    ['around the thinking output of Ollama', 'Sure.\nThinking...\na\n...done thinking.\nIt is.', 'Sure.\n\nIt is.'],
    ['around thoughts after a code block', '```\n<think>\n```\n<think>a</think>It is.', '```\n<think>\n```\nIt is.'],
    ['after tags that do not match', '<thinking>a</think>It is a bug.', 'It is a bug.'],
  ] as const) {
    it(`should return the text ${description}`, () => {
      expect(stripReasoning(text)).to.equal(expected);
    });
  }

  for (const text of [
    'It is a bug.',
    '  It is\na bug.\n',
    'Write <think> and then </think> around it.',
    'Models think:\n<think>\nHm.',
    '{"text":"<think>a</think>"}',
    '<thinker>It is a bug.</thinker>',
    'It is <|channel|>final<|message|> a bug.',
    '<report>\n<reasoning>\nport open\n</reasoning>\n<verdict>unsafe</verdict>\n</report>',
    'Do not deploy.\n\n```xml\n<thinking>\n...\n</thinking>\n```\nok',
    'Do not deploy.\n\n```xml\n</think>\n```\nok',
    'It ends with `</think>` then.',
    'It is </reflection> a bug.',
    'It is <think>a</think> bug.',
    'Thinking... it is a bug.',
    'Sure.\n<analysis>\nIt crashes.\n</analysis>\nIt is a bug.',
    'Sure.\n~~~\n```\n<think>a</think>\n~~~',
    '<analysis>It crashes.</analysis>\n<summary>Good.</summary>',
    '<analysis>It crashes.</analysis>',
    '<reason>Late delivery</reason>\n<code>42</code>',
    'Thinking...\nHere is the plan.',
    '<reasoning>It is a bug.',
    'For example:\n\n    <think>a</think>\n\nIt is a bug.',
    '',
  ]) {
    it(`should not change text without leading thoughts: ${JSON.stringify(text)}`, () => {
      expect(stripReasoning(text)).to.equal(text);
    });
  }

  for (const text of [
    '<think>It is a bug.',
    '<think>a</think><think>b',
    '<think>a</think>',
    '<|channel|>analysis<|message|>a',
  ])
    it(`should return an empty string for text that contains only thoughts: ${JSON.stringify(text)}`, () => {
      expect(stripReasoning(text)).to.equal('');
    });

  describe('stripReasoningAroundJson()', () => {
    for (const [description, text, expected] of [
      ['between sentences', 'Okay.\n<think>Perhaps {"a":1}?</think>\nI cannot decide.', 'Okay.\n\nI cannot decide.'],
      ['within a line', 'So <think>{"a":1}?</think>{"a":2}', 'So {"a":2}'],
      ['without an end tag', 'Okay.\n<think>Perhaps {"a":1}?', 'Okay.\n'],
      ['whose tag name is a word', 'Okay. <reason>{"a":1}?</reason>{"a":2}', 'Okay. {"a":2}'],
      ['in a code block', '```\n<think>{"a":1}?</think>\n{"a":2}\n```', '```\n\n{"a":2}\n```'],
      ['whose start tag is in the prompt template', 'Perhaps `<think>`:\n```json\n{"a":1}\n</think>{"a":2}', '{"a":2}'],
      ['after an object', '{"a":"<think>"}\n<think>Or {"a":1}?</think>', '{"a":"<think>"}\n'],
      ['before an object that contains an end tag', '<think>a</think>{"a":"</think>"}', '{"a":"</think>"}'],
    ] as const) {
      it(`should remove thoughts ${description}`, () => {
        expect(stripReasoningAroundJson(text)).to.equal(expected);
      });
    }

    for (const text of [
      '{"text":"<think>a</think>"}',
      '{"text":"a</think>b"}',
      '{"text":{"a":"<think>"},"b":"</think>"}',
      'It is: {"text":"Write <think> first."} I think.',
      '```json\n{"text":"<think>a</think>"}\n```',
      'Beside `<think>`: {"a":1}',
      'Of the set {"a", it is {"text":"<think>"}',
      'I put the cause into the <reason> element:\n\n{"a":1}',
      '<analysis>{"a":1}</analysis>',
      'Thinking...\n{"a":1}',
    ]) {
      it(`should not change text that belongs to the response: ${JSON.stringify(text)}`, () => {
        expect(stripReasoningAroundJson(text)).to.equal(text);
      });
    }

    it('should run in linear time', () => {
      for (const text of ['{"', '{"a":"<think>', '{} <think>', 'x</analysis>', '{"":"\\"', '{  '])
        expect(stripReasoningAroundJson(`x${text.repeat(100_000)}`)).to.be.a('string');
    });
  });

  it('should find thoughts in linear time', () => {
    const repetitions = 60_000;
    expect(stripReasoning(`${'<think></think>'.repeat(repetitions)}It.`)).to.equal('It.');
    for (const repeatedText of [' ', '\r', '\n', '\u2028', '```\n', '</think>'])
      expect(stripReasoning(`x${repeatedText.repeat(200_000)}It.`)).to.contain('It.');
    expect(stripReasoning(`<think>${'<thinking>\n'.repeat(repetitions)}`)).to.equal('');
    for (const repeatedTags of [
      '<think>a</think>',
      '\n<think>a</think>',
      ' <think',
      '<think </think ',
      '\nThinking...   ',
      '\n```x',
    ])
      expect(stripReasoning(`x${repeatedTags.repeat(repetitions)}It.`)).to.contain('It.');
    expect(stripReasoning(`<|channel|>${'<|channel|>final'.repeat(repetitions)}`)).to.equal('');
  });
});
