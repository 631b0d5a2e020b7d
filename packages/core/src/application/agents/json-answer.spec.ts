import { expect } from 'chai';
import { readJsonAnswer } from './json-answer.js';

const BUG = '{"label":"bug","why":"a } and \\"{\\" in it"}';
const VALUE = { label: 'bug', why: 'a } and "{" in it' };

describe('readJsonAnswer()', () => {
  for (const [what, text] of [
    ['alone', BUG],
    ['with white space and a byte order mark', `\ufeff \n${BUG}\n`],
    ['in a block', `\`\`\`json\n${BUG}\n\`\`\``],
    ['in a block of another case', `\`\`\`JSON\n${BUG}\n\`\`\``],
    ['in a block of no language, with tildes, indented, in other line ends', `  ~~~\r\n${BUG}\r\n  ~~~\r\n`],
    ['in a block that does not end', `\`\`\`json\n${BUG}`],
    ['in a block behind other words', `This is it:\n\n\`\`\`json\n${BUG}\n\`\`\`\nI hope it helps.`],
    ['in a block beside one of something else', `\`\`\`sh\necho {}\n\`\`\`\n\`\`\`json\n${BUG}\n\`\`\``],
    ['in a longer block', `\`\`\`\`json\n${BUG}\n\`\`\`\``],
    ['among other words', `The answer is ${BUG}, I think.`],
    ['behind braces that are none', `Of the set {a, b} and "{ it is: ${BUG}`],
    ['behind a brace that is never closed', `It is { so: ${BUG}`],
  ] as const) {
    it(`should be the object ${what}`, () => {
      expect(readJsonAnswer(text)).to.deep.equal({ value: VALUE });
    });
  }

  for (const [what, text, problem] of [
    ['a text', 'bug', 'It is not JSON'],
    ['nothing', '', 'It is not JSON'],
    ['braces that are none', 'Either {a} or {b}.', 'It is not JSON'],
    ['an object that is cut off', 'So: {"label":"bug"', 'It is not JSON'],
    ['several objects', `Not {"label":"feature"}, but ${BUG}`, 'several JSON objects'],
    ['several blocks', `\`\`\`json\n{}\n\`\`\`\n\`\`\`json\n${BUG}\n\`\`\``, 'several JSON objects'],
    ['objects of a list with words around it', `These: [{"a":1},{"b":2}]`, 'several JSON objects'],
    ['a number that cannot be kept', '{"id":9007199254740993}', '9007199254740993'],
    ['a number that cannot be kept among words', 'So: {"id":9007199254740993}', '9007199254740993'],
    ['a number that cannot be kept in a block', '```\n{"id":9007199254740993}\n```', '9007199254740993'],
  ] as const) {
    it(`should be none where there is ${what}`, () => {
      expect(readJsonAnswer(text)).to.have.property('problem').that.contains(problem);
    });
  }

  it('should leave it to the schema what is JSON alone, but no object', () => {
    for (const value of [['bug'], 'bug', 7, null, [{ label: 'bug' }]])
      expect(readJsonAnswer(JSON.stringify(value))).to.deep.equal({ value });
  });

  it('should be read in linear time', () => {
    for (const text of [
      '{'.repeat(500_000),
      '"{'.repeat(300_000),
      `${'{"a":"\\"'.repeat(100_000)}\\`,
      '```\n'.repeat(100_000),
    ])
      expect(readJsonAnswer(text)).to.have.property('problem');
  });
});
