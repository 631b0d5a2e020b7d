import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { ToolContribution } from '../../contributions/tool.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import { agentRuntime, turnJob } from './agents.spec.support.js';
import { BuiltInAgentCatalogue } from './built-in-agent-catalogue.js';
import { contributedTool } from './contributed-tool.js';
import { StartAgents } from './start-agents.js';

const MODEL = 'model: {provider: fake, name: fake-1}\nsystem: x\n';

class EchoTool implements ToolContribution {
  readonly name: string = 'echo.say';
  readonly description = 'says it again';
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

describe('the start of agents', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign-agents-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  it('should keep the definitions and let them be in force', async () => {
    // given
    await writeFile(join(directory, 'a.yaml'), `name: echo\n${MODEL}tools: [echo.say, human.ask]\n`);
    const { container, runtime, store } = await agentRuntime({
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
    expect([...store.saved.values()]).to.deep.equal([
      { kind: 'agent', name: 'echo', digest: agent?.digest, content: agent?.definition },
    ]);
    expect((await runtime.takeTurn(turnJob({ headers: { agent: 'echo', prompt: 'Do.' } }))).definitionDigest).to.equal(
      agent?.digest,
    );
  });

  it('should report all that is wrong with definitions, tools and providers, and let nothing be in force', async () => {
    // given
    await writeFile(join(directory, 'a.yaml'), `name: a\n${MODEL}tools: [echo.sya, human.ask]\nbudget: {cost: 1}\n`);
    await writeFile(join(directory, 'b.yaml'), 'name: b\nmodel: {provider: fkae, name: n}\nsystem: x\n');
    await writeFile(join(directory, 'c.yaml'), 'name: c\n');
    const { container, store } = await agentRuntime({
      definitions: [],
      directories: [directory],
      tools: [new EchoTool(), new OtherEchoTool(), new AskTool()],
    });

    // when
    const problems = await container.get(StartAgents).execute();

    // then
    expect(problems.map(({ message }) => message.replaceAll(`${directory}/`, ''))).to.deep.equal([
      'Both EchoTool and OtherEchoTool bring a tool of the name "echo.say": only one of them can.',
      'Both the agent runtime and AskTool bring a tool of the name "human.ask": only one of them can.',
      'c.yaml:1: /system: It is missing.',
      'a.yaml:5: /budget/cost: It can\'t be kept, as no price of the model "fake-1" of "fake" is configured.',
      'a.yaml:4: /tools/0: There is no tool "echo.sya". Did you mean "echo.say"?',
      'b.yaml:2: /model/provider: There is no model provider "fkae". Did you mean "fake"?',
    ]);
    expect(store.saved.size).to.equal(0);
    expect(container.get(BuiltInAgentCatalogue).agents()).to.deep.equal([]);
  });

  it('should only warn of a tool whose source may bring it later, and show it to the model once it is there', async () => {
    // given
    await writeFile(join(directory, 'a.yaml'), `name: a\n${MODEL}tools: [mcp.git.log]\n`);
    let tools: readonly AgentTool[] = [];
    const { container, logged, model, runtime } = await agentRuntime({
      definitions: [],
      directories: [directory],
      sources: [{ name: 'git', prefix: 'mcp.git.', tools: () => tools }],
    });

    // when
    const problems = await container.get(StartAgents).execute();
    await runtime.takeTurn(turnJob({ headers: { agent: 'a', prompt: 'Do.' } }));
    tools = [contributedTool(new RenamedTool('mcp.git.log'))];
    await runtime.takeTurn(turnJob({ headers: { agent: 'a', prompt: 'Do.' } }));

    // then
    expect(problems).to.deep.equal([]);
    expect(logged.join()).to.contain('There is no tool "mcp.git.log". Its source does not offer it at the moment');
    expect(model.asked.map((request) => request.tools.map(({ name }) => name))).to.deep.equal([[], ['mcp_git_log']]);
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

  it('should leave out a tool of a source that takes the name of another one, and say so once', async () => {
    // given
    const tool = (description: string): AgentTool => ({ ...contributedTool(new EchoTool()), description });
    const { container, logged } = await agentRuntime({
      tools: [new EchoTool()],
      sources: [
        { name: 'git', tools: () => [tool('false'), { ...tool('first'), name: 'x.y' }] },
        { name: 'hub', tools: () => [{ ...tool('second'), name: 'x.y' }] },
      ],
    });

    // when
    const listed = container.get(BuiltInAgentCatalogue).tools();
    container.get(BuiltInAgentCatalogue).tools();

    // then
    expect(listed.map(({ name, description, source }) => [name, description, source]).slice(0, 1)).to.deep.equal([
      ['echo.say', 'says it again', 'builtin'],
    ]);
    expect(listed.find(({ name }) => name === 'x.y')).to.deep.include({ description: 'first', source: 'git' });
    expect(logged).to.have.length(2);
  });

  it('should give a tool another digest as soon as anything of it is different', () => {
    // given
    const digest = (tool: ToolContribution): string => contributedTool(tool).digest;

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
