import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { ToolContribution } from '../../contributions/tool.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import { createAgentRuntime, createTurnJob } from './agents.spec.support.js';
import { BuiltInAgentCatalogue } from './built-in-agent-catalogue.js';
import { toAgentTool } from './to-agent-tool.js';
import { StartAgents } from './start-agents.js';

const MODEL_YAML = 'model: {provider: fake, name: fake-1}\nsystem: x\n';

class EchoTool implements ToolContribution {
  readonly name: string = 'echo.say';
  readonly description = 'repeats the text';
  readonly input = z.strictObject({ text: z.string() });
  readonly output = z.string();
  readonly effect = 'read';
  readonly reversible = true;
  readonly unknownOutcome = 'repeat';

  call() {
    return Promise.resolve({ content: 'x' });
  }
}

class OtherEchoTool extends EchoTool {}

class AskTool extends EchoTool {
  override readonly name = 'human.ask';
}

class RenamedTool extends EchoTool {
  constructor(override readonly name: string) {
    super();
  }
}

describe('StartAgents', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign-agents-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  it('should store the agent definitions and activate them', async () => {
    // given
    await writeFile(join(directory, 'a.yaml'), `name: echo\n${MODEL_YAML}tools: [echo.say, human.ask]\n`);
    const { container, runtime, store } = await createAgentRuntime({
      definitions: [],
      directories: [directory],
      tools: [new EchoTool()],
    });

    // when
    const problems = await container.get(StartAgents).execute();
    await container.get(StartAgents).execute();

    // then
    expect(problems).to.deep.equal([]);
    const [agent] = container.get(BuiltInAgentCatalogue).agents();
    expect(agent?.definition.name).to.equal('echo');
    expect([...store.definitionsByKey.values()]).to.deep.equal([
      { kind: 'agent', name: 'echo', digest: agent?.digest, content: agent?.definition },
    ]);
    expect(
      (await runtime.runTurn(createTurnJob({ headers: { agent: 'echo', prompt: 'Do.' } }))).definitionDigest,
    ).to.equal(agent?.digest);
  });

  it('should report all errors in definitions, tools and providers, and activate nothing', async () => {
    // given
    await writeFile(
      join(directory, 'a.yaml'),
      `name: a\n${MODEL_YAML}tools: [echo.sya, human.ask]\nbudget: {cost: 1}\n`,
    );
    await writeFile(join(directory, 'b.yaml'), 'name: b\nmodel: {provider: fkae, name: n}\nsystem: x\n');
    await writeFile(join(directory, 'c.yaml'), 'name: c\n');
    const { container, store } = await createAgentRuntime({
      definitions: [],
      directories: [directory],
      tools: [new EchoTool(), new OtherEchoTool(), new AskTool()],
    });

    // when
    const problems = await container.get(StartAgents).execute();

    // then
    expect(problems.map(({ message }) => message.replaceAll(`${directory}/`, ''))).to.deep.equal([
      'Both EchoTool and OtherEchoTool provide a tool with the name "echo.say". Load only one of them.',
      'Both the agent runtime and AskTool provide a tool with the name "human.ask". Load only one of them.',
      'c.yaml:1: /system: The value is missing.',
      'a.yaml:5: /budget/cost: The cost budget cannot be enforced, because no price is configured for the language model "fake-1" of "fake".',
      'a.yaml:4: /tools/0: There is no tool "echo.sya". Did you mean "echo.say"?',
      'b.yaml:2: /model/provider: There is no model provider "fkae". Did you mean "fake"?',
    ]);
    expect(store.definitionsByKey.size).to.equal(0);
    expect(container.get(BuiltInAgentCatalogue).agents()).to.deep.equal([]);
  });

  it('should only warn about a tool that its source does not offer yet, and use it once the source does', async () => {
    // given
    await writeFile(join(directory, 'a.yaml'), `name: a\n${MODEL_YAML}tools: [mcp.git.log]\n`);
    let tools: readonly AgentTool[] = [];
    const { container, logged, model, runtime } = await createAgentRuntime({
      definitions: [],
      directories: [directory],
      sources: [{ name: 'git', prefix: 'mcp.git.', tools: () => tools }],
    });

    // when
    const problems = await container.get(StartAgents).execute();
    await runtime.runTurn(createTurnJob({ headers: { agent: 'a', prompt: 'Do.' } }));
    tools = [toAgentTool(new RenamedTool('mcp.git.log'))];
    await runtime.runTurn(createTurnJob({ headers: { agent: 'a', prompt: 'Do.' } }));

    // then
    expect(problems).to.deep.equal([]);
    expect(logged.join()).to.contain('There is no tool "mcp.git.log". Its source does not currently provide it');
    expect(model.requests.map((request) => request.tools.map(({ name }) => name))).to.deep.equal([[], ['mcp_git_log']]);
    expect(
      container
        .get(BuiltInAgentCatalogue)
        .tools()
        .map(({ name, source }) => [name, source]),
    ).to.deep.equal([
      ['human.ask', 'builtin'],
      ['mcp.git.log', 'git'],
    ]);
  });

  it('should omit a tool of a source when its name is taken, and log that once', async () => {
    // given
    const createTool = (description: string): AgentTool => ({ ...toAgentTool(new EchoTool()), description });
    const { container, logged } = await createAgentRuntime({
      tools: [new EchoTool()],
      sources: [
        { name: 'git', tools: () => [createTool('duplicate'), { ...createTool('first'), name: 'x.y' }] },
        { name: 'hub', tools: () => [{ ...createTool('second'), name: 'x.y' }] },
      ],
    });

    // when
    const listedTools = container.get(BuiltInAgentCatalogue).tools();
    container.get(BuiltInAgentCatalogue).tools();

    // then
    expect(listedTools.map(({ name, description, source }) => [name, description, source]).slice(0, 1)).to.deep.equal([
      ['echo.say', 'repeats the text', 'builtin'],
    ]);
    expect(listedTools.find(({ name }) => name === 'x.y')).to.deep.include({ description: 'first', source: 'git' });
    expect(logged).to.have.length(2);
  });

  it('should change the digest of a tool when its description, effect, options or input schema changes', () => {
    // given
    const digest = (tool: ToolContribution): string => toAgentTool(tool).digest;

    // then
    expect(digest(new EchoTool()))
      .to.equal(digest(new OtherEchoTool()))
      .and.to.match(/^sha256:[0-9a-f]{64}$/);
    for (const change of [
      { description: 'other' },
      { effect: 'write' },
      { reversible: false },
      { unknownOutcome: 'park' },
      { input: z.strictObject({ text: z.string().max(3) }) },
    ]) {
      expect(digest(Object.assign(new EchoTool(), change) as ToolContribution), JSON.stringify(change)).not.to.equal(
        digest(new EchoTool()),
      );
    }
  });
});
