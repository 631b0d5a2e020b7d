import { expect } from 'chai';
import { withoutThoughts } from './thoughts.js';

describe('withoutThoughts()', () => {
  for (const [what, text, answer] of [
    ['behind thoughts', '<think>\nIt crashes.\n</think>\n\nIt is a bug.', 'It is a bug.'],
    ['behind empty thoughts', '<think>\n\n</think>\n\nIt is a bug.', 'It is a bug.'],
    ['behind thoughts in other cases', '\ufeff <THINK>a <b> </Think> It is a bug.', 'It is a bug.'],
    ['behind thoughts of other names', '<reasoning>a</reasoning><thinking>b</thinking>It is a bug.', 'It is a bug.'],
    ['behind thoughts in brackets', '[THINK]a <think> b[/THINK]It is a bug.', 'It is a bug.'],
    ['behind the end of thoughts alone', 'It crashes.\n</think>\n\nIt is a bug.', 'It is a bug.'],
    ['behind the end of thoughts alone, in other line ends', 'a\r\n</think>\r\nIt is a bug.', 'It is a bug.'],
    ['behind thoughts that are quoted in thoughts', '<think>a <think> b</think>It is a bug.', 'It is a bug.'],
    [
      'in the last channel',
      '<|channel|>analysis<|message|>It crashes.<|end|><|start|>assistant<|channel|>final<|message|>It is a bug.<|return|>',
      'It is a bug.',
    ],
    [
      'in a channel of constrained JSON, before and behind thoughts',
      '<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{"a":1}<|end|><|start|>assistant<|channel|>analysis<|message|>b',
      '{"a":1}',
    ],
    ['behind the end of thoughts in a line', 'It seems safe.</think>\n\nIt is not.', 'It is not.'],
    ['behind several ends of thoughts', 'a </think> b\n</think>\nIt is a bug.', 'It is a bug.'],
    ['behind marks of other names', '◁think▷a◁/think▷<seed:think>b</seed:think>It is a bug.', 'It is a bug.'],
    ['behind marks of tokens', '<|START_THINKING|>a<|END_THINKING|>It is a bug.', 'It is a bug.'],
    ['behind marks that do not fit', '<thinking>a</think>It is a bug.', 'It is a bug.'],
  ] as const) {
    it(`should be what is said ${what}`, () => {
      expect(withoutThoughts(text)).to.equal(answer);
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
    '',
  ]) {
    it(`should be the same without thoughts in front of it: ${JSON.stringify(text)}`, () => {
      expect(withoutThoughts(text)).to.equal(text);
    });
  }

  for (const text of [
    '<think>It is a bug.',
    '<think>a</think><think>b',
    '<think>a</think>',
    '<|channel|>analysis<|message|>a',
  ])
    it(`should be nothing where there are thoughts alone: ${JSON.stringify(text)}`, () => {
      expect(withoutThoughts(text)).to.equal('');
    });

  it('should be found in linear time', () => {
    const many = 60_000;
    expect(withoutThoughts(`${'<think></think>'.repeat(many)}It.`)).to.equal('It.');
    for (const space of [' ', '\r', '\n', '\u2028', '```\n', '</think>'])
      expect(withoutThoughts(`x${space.repeat(200_000)}It.`)).to.contain('It.');
    expect(withoutThoughts(`<think>${'<thinking>\n'.repeat(many)}`)).to.equal('');
    expect(withoutThoughts(`<|channel|>${'<|channel|>final'.repeat(many)}`)).to.equal('');
  });
});
