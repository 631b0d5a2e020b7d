import { expect } from 'chai';
import { parseJsonCompletion } from './parse-json-completion.js';

const JSON_TEXT = '{"label":"bug","why":"a } and \\"{\\" in it"}';
const EXPECTED_VALUE = { label: 'bug', why: 'a } and "{" in it' };

describe('parseJsonCompletion()', () => {
  for (const [description, text] of [
    ['without other text', JSON_TEXT],
    ['with white space and a byte order mark', `\ufeff \n${JSON_TEXT}\n`],
    ['in a block', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ['in a block whose language is in upper case', `\`\`\`JSON\n${JSON_TEXT}\n\`\`\``],
    ['in a block whose language is a media type', `\`\`\`application/json\n${JSON_TEXT}\n\`\`\``],
    ['in a block with a title', `\`\`\`json title="x"\n${JSON_TEXT}\n\`\`\`\n\`\`\`sh\necho {}\n\`\`\``],
    ['in a block with attributes', `~~~ json{1}\n${JSON_TEXT}\n~~~`],
    ['in a JavaScript block', `It is:\n\`\`\`js\n${JSON_TEXT}\n\`\`\``],
    ['in a text block that is not closed', `\`\`\`text\n${JSON_TEXT}`],
    ['in an output block before another block', `\`\`\`output\n${JSON_TEXT}\n\`\`\`\n\`\`\`sh\necho {}\n\`\`\``],
    ['in a JSON block after an object in JavaScript', `\`\`\`js\n{"a":1}\n\`\`\`\n\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ['in an indented block of tildes without a language, with CRLF line ends', `  ~~~\r\n${JSON_TEXT}\r\n  ~~~\r\n`],
    ['in a block that is not closed', `\`\`\`json\n${JSON_TEXT}`],
    ['in a block surrounded by other text', `This is it:\n\n\`\`\`json\n${JSON_TEXT}\n\`\`\`\nI hope it helps.`],
    ['in a block after a block in another language', `\`\`\`sh\necho {}\n\`\`\`\n\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    ['in a block with a longer fence', `\`\`\`\`json\n${JSON_TEXT}\n\`\`\`\``],
    ['surrounded by other text', `The answer is ${JSON_TEXT}, I think.`],
    ['after braces that are not JSON', `Of the set {a, b}, it is: ${JSON_TEXT}`],
    ['if the response contains it twice', `${JSON_TEXT}\n\nThat is: \`\`\`\n${JSON_TEXT}\n\`\`\``],
    ['after source references', `As in [1] and [a](b): ${JSON_TEXT}`],
  ] as const) {
    it(`should read the object ${description}`, () => {
      expect(parseJsonCompletion(text)).to.deep.equal({ value: EXPECTED_VALUE });
    });
  }

  for (const [description, text, problem] of [
    ['only text', 'bug', 'It is not JSON'],
    ['nothing', '', 'It is not JSON'],
    ['braces that are not JSON', 'Either {a} or {b}.', 'It is not JSON'],
    ['a truncated object', 'So: {"label":"bug"', 'broken'],
    ['an object within a truncated object', '{"verdict":{"safe":true},"why":"cut', 'broken'],
    ['an object within braces that are not JSON', '{safe: false, evidence: {"safe": true}', 'broken'],
    ['an object after an unclosed brace', `It is { so: ${JSON_TEXT}`, 'broken'],
    ['an object and a broken object', 'Draft {"safe": true}. Final: {"safe": false,}', 'broken'],
    ['a block and a broken block', '```json\n{"safe":true}\n```\n```json\n{"safe":false,}\n```', 'broken'],
    [
      'a block and an object after it',
      '```json\n{"safe":true}\n```\nMy answer: {"safe": false}',
      'several JSON objects',
    ],
    ['a list surrounded by text', 'Here: [{"safe":true}]', 'It contains a list'],
    ['an object after a large number of braces', `${'{x} '.repeat(60)}{"safe":true}`, 'too many braces'],
    ['several objects', `Not {"label":"feature"}, but ${JSON_TEXT}`, 'several JSON objects'],
    ['JavaScript with an object', '```js\nconst x = {"safe":true};\n```', 'It is not JSON'],
    ['JavaScript that is a list', '```js\n[{"safe":true}]\n```', 'It is not JSON'],
    ['several text blocks', '```text\n{"safe":true}\n```\n```js\n{"safe":false}\n```', 'several JSON objects'],
    ['a number that loses precision, in a text block', '```text\n{"id":9007199254740993}\n```', '9007199254740993'],
    ['several blocks', `\`\`\`json\n{}\n\`\`\`\n\`\`\`json\n${JSON_TEXT}\n\`\`\``, 'several JSON objects'],
    ['a list of objects surrounded by text', `These: [{"a":1},{"b":2}]`, 'It contains a list'],
    ['a number that loses precision', '{"id":9007199254740993}', '9007199254740993'],
    ['a number that loses precision, surrounded by text', 'So: {"id":9007199254740993}', '9007199254740993'],
    ['a number that loses precision, in a block', '```\n{"id":9007199254740993}\n```', '9007199254740993'],
  ] as const) {
    it(`should report a problem when the response contains ${description}`, () => {
      expect(parseJsonCompletion(text)).to.have.property('problem').that.contains(problem);
    });
  }

  it('should return a JSON value that is not an object if the response contains nothing else', () => {
    for (const value of [['bug'], 'bug', 7, null, [{ label: 'bug' }]])
      expect(parseJsonCompletion(JSON.stringify(value))).to.deep.equal({ value });
  });

  it('should run in linear time', () => {
    for (const text of [
      '{'.repeat(500_000),
      '"{'.repeat(300_000),
      `${'{"a":"\\"'.repeat(100_000)}\\`,
      '```\n'.repeat(100_000),
      '```js\n{\n```\n'.repeat(50_000),
    ])
      expect(parseJsonCompletion(text)).to.have.property('problem');
  });
});
