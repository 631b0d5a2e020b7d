import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson, sha256Hex } from '@countersign/model';
import { readAgentFiles } from './read-agent-files.js';

describe('readAgentFiles', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign-agents-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  const filePath = (name: string) => join(directory, name);
  const readFiles = async (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) await writeFile(filePath(name), text);
    return readAgentFiles([directory]);
  };

  it('should return definitions with default values, and their digests', async () => {
    // when
    const { agents, problems } = await readFiles({
      'triage.yaml': 'name: issue-triage\nmodel:\n  provider: openai\n  name: gpt\nsystem: Sort issues.\n',
      'other.yml':
        'name: other\ndescription: Does more.\nmodel: {provider: scripted, name: s, alternatives: [t], temperature: 0, maxOutputTokens: 10, timeout: PT5S}\nsystem: S\ntools: [human.ask, mcp.git/x]\noutputSchema: {type: object, properties: {label: {type: string}}}\nbudget: {turns: 3, toolCalls: 0, tokens: null, cost: 0.10, onExhausted: incident}\n',
      'notes.txt': 'not an agent definition',
    });

    // then
    expect(problems).to.deep.equal([]);
    expect(agents.map(({ definition }) => definition)).to.deep.equal([
      {
        name: 'other',
        description: 'Does more.',
        model: {
          provider: 'scripted',
          name: 's',
          alternatives: ['t'],
          temperature: 0,
          maxOutputTokens: 10,
          timeoutMs: 5_000,
        },
        system: 'S',
        tools: ['human.ask', 'mcp.git/x'],
        outputSchema: { type: 'object', properties: { label: { type: 'string' } } },
        budget: { turns: 3, toolCalls: 0, tokens: null, costMicros: 100_000, onExhausted: 'incident' },
      },
      {
        name: 'issue-triage',
        description: null,
        model: { provider: 'openai', name: 'gpt', temperature: null, maxOutputTokens: 4_096, timeoutMs: 120_000 },
        system: 'Sort issues.',
        tools: [],
        outputSchema: null,
        budget: { turns: 20, toolCalls: 50, tokens: 200_000, costMicros: null, onExhausted: 'question' },
      },
    ]);
    for (const { definition, digest } of agents)
      expect(digest).to.equal(`sha256:${sha256Hex(canonicalJson(definition))}`);
  });

  it('should use the default language model if a definition names none, and report a missing default', async () => {
    // given
    await writeFile(filePath('a.yaml'), 'name: a\nsystem: S\nmodel: {timeout: PT5S}\n');
    await writeFile(filePath('b.yaml'), 'name: b\nsystem: S\nmodel: {provider: openai, name: gpt}\n');
    await writeFile(filePath('c.yaml'), 'name: c\nsystem: S\nmodel: {name: gpt}\n');

    // when
    const withDefault = await readAgentFiles([directory], { provider: 'scripted', name: 's' });
    const withoutDefault = await readAgentFiles([directory]);

    // then
    expect(withDefault.agents.map(({ definition: { model } }) => `${model.provider}/${model.name}`)).to.deep.equal([
      'scripted/s',
      'openai/gpt',
    ]);
    expect(withDefault.problems.map(({ message }) => message)).to.deep.equal([
      `${filePath('c.yaml')}:3: /model: Give both "provider" and "name", or omit both to use Agents:DefaultModel.`,
    ]);
    expect(withoutDefault.agents.map(({ definition }) => definition.name)).to.deep.equal(['b']);
    expect(withoutDefault.problems[0]?.message).to.equal(
      `${filePath('a.yaml')}:3: /model: No language model is defined. Set "provider" and "name" here, or Agents:DefaultModel:Provider and Agents:DefaultModel:Name.`,
    );
  });

  it('should report all errors together, with file, line, location and a suggestion', async () => {
    // when
    const { agents, problems } = await readFiles({
      'a.yaml':
        'name: Issue Triage\nmodel:\n  provider: openai\n  nam: gpt\n  timeout: soon\nsystem: x\nbudget:\n  turn: 3\n  tokens: 1.5\n  cost: 0.1234567\n',
      'b.yaml':
        'name: b\nmodel: {provider: p, name: n}\nsystem: x\ntool: [a]\ntools: [a.b, a_b, a.b, "a b"]\noutputSchema: {type: array}\n',
      'c.yaml': 'name: [c\n',
      'd.yaml': '',
      'e.yaml': 'name: same\nmodel: {provider: p, name: n}\nsystem: x\n',
      'f.yaml': '# duplicate name\nname: same\nmodel: {provider: p, name: n}\nsystem: x\n',
      'h.yaml':
        'name: h\nmodel: {provider: p, name: n}\nsystem: x\noutputSchema:\n  type: object\n  properties:\n    a: {maximum: 9223372036854775807}\n',
      'g.yaml':
        'name: g\nmodel: {provider: p, name: n}\nsystem: x\noutputSchema:\n  type: object\n  properties:\n    a: {type: text}\n',
    });

    // then
    expect(agents.map(({ definition }) => definition.name)).to.deep.equal(['same']);
    const lines = problems.map(({ message }) => message.replaceAll(`${directory}/`, ''));
    expect(lines).to.include.members([
      'a.yaml:1: /name: Use lower-case letters, digits and hyphens, such as issue-triage.',
      'a.yaml:3: /model: Give both "provider" and "name", or omit both to use Agents:DefaultModel.',
      'a.yaml:4: /model/nam: Unknown key "nam". Did you mean "name"?',
      'a.yaml:5: /model/timeout: Expected an ISO 8601 duration such as PT2M, at most one hour.',
      'a.yaml:8: /budget/turn: Unknown key "turn". Did you mean "turns"?',
      'a.yaml:9: /budget/tokens: Expected a whole number.',
      'a.yaml:10: /budget/cost: Expected an amount of money such as 0.50, with at most six decimals.',
      'b.yaml:4: /tool: Unknown key "tool". Did you mean "tools"?',
      'b.yaml:5: /tools/3: Expected the name of a tool, such as artifact.read.',
      'b.yaml:6: /outputSchema: It must be the JSON Schema of an object, with "type: object".',
      'd.yaml:1: /name: The value is missing.',
      'f.yaml:2: /name: the agent "same" is already defined in e.yaml:1.',
      'h.yaml:7: This number cannot be stored exactly. Use fewer digits, or put it in quotation marks.',
      'g.yaml:5: /outputSchema: It is not a usable JSON Schema: /properties/a/type is not a type of JSON Schema.',
    ]);
    expect(lines.filter((line) => line.startsWith('c.yaml:'))).to.have.length(1);
  });

  it('should refuse tools whose names are identical for language models', async () => {
    // when
    const { problems } = await readFiles({
      'a.yaml': 'name: a\nmodel: {provider: p, name: n}\nsystem: x\ntools: [notes.read, notes_read]\n',
    });

    // then
    expect(problems.map(({ message }) => message)).to.deep.equal([
      `${filePath('a.yaml')}:4: /tools: Language models cannot distinguish "notes.read" from "notes_read": they receive both as "notes_read".`,
    ]);
  });

  it('should report a directory that does not exist', async () => {
    // when
    const { problems } = await readAgentFiles([filePath('nowhere')]);

    // then
    expect(problems.map(({ code, message }) => [code, message])).to.deep.equal([
      [
        'agent_file_unreadable',
        `The directory ${filePath('nowhere')} of Agents:Directory cannot be read: there is no such directory or file.`,
      ],
    ]);
  });

  it('should refuse a YAML file with excessive aliases', async () => {
    // given
    const aliasBomb = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...'bcdefghij'
        .split('')
        .map((letter, index) => `${letter}: &${letter} [${`*${'abcdefghij'[index]}, `.repeat(9)}]`),
    ].join('\n');

    // when
    const { problems } = await readFiles({ 'bomb.yaml': aliasBomb });

    // then
    expect(problems[0]?.message).to.contain('Excessive alias count');
  });
});
