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
    ['in a block of a type', `\`\`\`application/json\n${BUG}\n\`\`\``],
    ['in a block with a title', `\`\`\`json title="x"\n${BUG}\n\`\`\`\n\`\`\`sh\necho {}\n\`\`\``],
    ['in a block with attributes', `~~~ json{1}\n${BUG}\n~~~`],
    ['in a block of JavaScript', `It is:\n\`\`\`js\n${BUG}\n\`\`\``],
    ['in a block of text that does not end', `\`\`\`text\n${BUG}`],
    ['in a block of output beside another one', `\`\`\`output\n${BUG}\n\`\`\`\n\`\`\`sh\necho {}\n\`\`\``],
    ['in a block beside another object in JavaScript', `\`\`\`js\n{"a":1}\n\`\`\`\n\`\`\`json\n${BUG}\n\`\`\``],
    ['in a block of no language, with tildes, indented, in other line ends', `  ~~~\r\n${BUG}\r\n  ~~~\r\n`],
    ['in a block that does not end', `\`\`\`json\n${BUG}`],
    ['in a block behind other words', `This is it:\n\n\`\`\`json\n${BUG}\n\`\`\`\nI hope it helps.`],
    ['in a block beside one of something else', `\`\`\`sh\necho {}\n\`\`\`\n\`\`\`json\n${BUG}\n\`\`\``],
    ['in a longer block', `\`\`\`\`json\n${BUG}\n\`\`\`\``],
    ['among other words', `The answer is ${BUG}, I think.`],
    ['behind braces that are none', `Of the set {a, b}, it is: ${BUG}`],
    ['twice, the same', `${BUG}\n\nThat is: \`\`\`\n${BUG}\n\`\`\``],
    ['beside marks of sources', `As in [1] and [a](b): ${BUG}`],
  ] as const) {
    it(`should read the object ${what}`, () => {
      expect(readJsonAnswer(text)).to.deep.equal({ value: VALUE });
    });
  }

  for (const [what, text, problem] of [
    ['a text', 'bug', 'It is not JSON'],
    ['nothing', '', 'It is not JSON'],
    ['braces that are none', 'Either {a} or {b}.', 'It is not JSON'],
    ['an object that is cut off', 'So: {"label":"bug"', 'broken'],
    ['an object within one that is cut off', '{"verdict":{"safe":true},"why":"cut', 'broken'],
    ['an object within one that is no JSON', '{safe: false, evidence: {"safe": true}', 'broken'],
    ['an object behind a brace that is not closed', `It is { so: ${BUG}`, 'broken'],
    ['an object and one that is broken', 'Draft {"safe": true}. Final: {"safe": false,}', 'broken'],
    ['a block and one that is broken', '```json\n{"safe":true}\n```\n```json\n{"safe":false,}\n```', 'broken'],
    [
      'a block and an object behind it',
      '```json\n{"safe":true}\n```\nMy answer: {"safe": false}',
      'several JSON objects',
    ],
    ['a list with words around it', 'Here: [{"safe":true}]', 'It contains a list'],
    ['an object behind very many braces', `${'{x} '.repeat(60)}{"safe":true}`, 'too many braces'],
    ['several objects', `Not {"label":"feature"}, but ${BUG}`, 'several JSON objects'],
    ['JavaScript that holds an object', '```js\nconst x = {"safe":true};\n```', 'It is not JSON'],
    ['JavaScript that is a list', '```js\n[{"safe":true}]\n```', 'It is not JSON'],
    ['several blocks of text', '```text\n{"safe":true}\n```\n```js\n{"safe":false}\n```', 'several JSON objects'],
    ['a number that cannot be kept in a block of text', '```text\n{"id":9007199254740993}\n```', '9007199254740993'],
    ['several blocks', `\`\`\`json\n{}\n\`\`\`\n\`\`\`json\n${BUG}\n\`\`\``, 'several JSON objects'],
    ['objects of a list with words around it', `These: [{"a":1},{"b":2}]`, 'It contains a list'],
    ['a number that cannot be kept', '{"id":9007199254740993}', '9007199254740993'],
    ['a number that cannot be kept among words', 'So: {"id":9007199254740993}', '9007199254740993'],
    ['a number that cannot be kept in a block', '```\n{"id":9007199254740993}\n```', '9007199254740993'],
  ] as const) {
    it(`should report a problem when the response contains ${what}`, () => {
      expect(readJsonAnswer(text)).to.have.property('problem').that.contains(problem);
    });
  }

  it('should return a JSON value that is not an object if the response contains nothing else', () => {
    for (const value of [['bug'], 'bug', 7, null, [{ label: 'bug' }]])
      expect(readJsonAnswer(JSON.stringify(value))).to.deep.equal({ value });
  });

  it('should run in linear time', () => {
    for (const text of [
      '{'.repeat(500_000),
      '"{'.repeat(300_000),
      `${'{"a":"\\"'.repeat(100_000)}\\`,
      '```\n'.repeat(100_000),
      '```js\n{\n```\n'.repeat(50_000),
    ])
      expect(readJsonAnswer(text)).to.have.property('problem');
  });
});
