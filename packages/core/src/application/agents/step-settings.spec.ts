import { expect } from 'chai';
import { isTerminalFailure } from '../../contributions/job-handler.js';
import type { ToolConstraints } from '@countersign/model';
import { DEFINITION } from './agents.spec.support.js';
import { agentName, stepSettings } from './step-settings.js';

const definition = {
  ...DEFINITION,
  model: { ...DEFINITION.model, alternatives: ['fake-2'] },
  budget: { ...DEFINITION.budget, costMicros: 500_000 },
};
const NONE = { headers: { agent: 'triage', prompt: 'Do.' }, inputs: {}, toolConstraints: null };
const constraints = (more: Partial<ToolConstraints>): ToolConstraints => ({
  allowed: [],
  denied: [],
  requireApproval: [],
  limits: {},
  ...more,
});
const codeOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return isTerminalFailure(error) ? error.code : String(error);
  }
};

describe('agent settings of a step', () => {
  it('should equal the agent definition when the task overrides nothing', () => {
    expect(stepSettings(definition, NONE)).to.deep.equal({
      prompt: 'Do.',
      inputs: {},
      system: definition.system,
      outputSchema: definition.outputSchema,
      model: 'fake-1',
      tools: definition.tools,
      budget: definition.budget,
    });
  });

  it('should let task headers restrict tools, language model and budget, but never extend them', () => {
    // when
    const settings = stepSettings(definition, {
      ...NONE,
      headers: {
        ...NONE.headers,
        'tools': 'notes.read, human.ask',
        'model': 'fake-2',
        'budget.turns': '3',
        'budget.toolCalls': '9999',
        'budget.tokens': '1000',
        'budget.cost': '0.25',
      },
    });

    // then
    expect(settings).to.deep.include({
      tools: ['human.ask', 'notes.read'],
      model: 'fake-2',
      budget: { turns: 3, toolCalls: 50, tokens: 1_000, costMicros: 250_000, onExhausted: 'question' },
    });
    expect(
      codeOf(() => stepSettings(definition, { ...NONE, headers: { ...NONE.headers, tools: 'notes.read, shell' } })),
    ).to.equal('agent_tool_not_defined');
    expect(codeOf(() => stepSettings(definition, { ...NONE, headers: { ...NONE.headers, model: 'other' } }))).to.equal(
      'agent_header_invalid',
    );
    expect(
      codeOf(() => stepSettings(definition, { ...NONE, headers: { ...NONE.headers, 'budget.turns': '0' } })),
    ).to.equal('agent_header_invalid');
    expect(
      codeOf(() => stepSettings(definition, { ...NONE, headers: { ...NONE.headers, 'budget.cost': 'much' } })),
    ).to.equal('agent_header_invalid');
  });

  it('should use the system prompt and the output schema of the task headers, and refuse invalid ones', () => {
    // given
    const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    const of = (more: Readonly<Record<string, string>>) =>
      stepSettings(definition, { ...NONE, headers: { ...NONE.headers, ...more } });

    // then
    expect(of({ system: 'You add.', outputSchema: JSON.stringify(schema) })).to.deep.include({
      system: 'You add.',
      outputSchema: schema,
    });
    for (const wrong of [
      '[]',
      'sum',
      '{"type": "array"}',
      '{"type": "object", "properties": {"a": {"type": "text"}}}',
    ]) {
      expect(
        codeOf(() => of({ outputSchema: wrong })),
        wrong,
      ).to.equal('agent_header_invalid');
    }
    expect(() => of({ outputSchema: '{"type": "object", "properties": {"id": {"maximum": 9223372036854775807}}}' }))
      .to.throw('At "/properties/id/maximum": The number 9223372036854775807 is beyond 9007199254740991')
      .with.property('message')
      .that.contains('Leave it out, or describe the value as a string.');
    expect(codeOf(() => of({ system: 'x'.repeat(100_001) }))).to.equal('agent_header_invalid');
  });

  it('should refuse a misspelt header', () => {
    for (const name of ['tool', 'Prompt', 'budget.time', 'resultvariable']) {
      expect(
        codeOf(() => stepSettings(definition, { ...NONE, headers: { ...NONE.headers, [name]: 'x' } })),
        name,
      ).to.equal('agent_header_invalid');
    }
    expect(
      codeOf(() =>
        stepSettings(definition, { ...NONE, headers: { ...NONE.headers, costCentre: '4711', resultVariable: 'r' } }),
      ),
    ).to.equal(undefined);
  });

  it('should apply the tool constraints of the policy, but not an empty list of allowed tools', () => {
    // when
    const tools = [
      constraints({}),
      constraints({ allowed: ['notes.read', 'shell'] }),
      constraints({ denied: ['human.ask'] }),
      constraints({ allowed: ['notes.read'], denied: ['notes.read'] }),
    ].map((toolConstraints) => stepSettings(definition, { ...NONE, toolConstraints }).tools);

    // then
    expect(tools).to.deep.equal([
      ['human.ask', 'notes.read', 'notes.write'],
      ['notes.read'],
      ['notes.read', 'notes.write'],
      [],
    ]);
  });

  it('should use the prompt input when the task has no prompt header, and fail without any prompt', () => {
    // given
    const headers = { agent: 'triage' };

    // then
    expect(stepSettings(definition, { ...NONE, headers, inputs: { prompt: 'Mapped.', x: 1 } })).to.deep.include({
      prompt: 'Mapped.',
      inputs: { x: 1 },
    });
    expect(stepSettings(definition, { ...NONE, inputs: { prompt: 'Mapped.' } })).to.deep.include({
      prompt: 'Do.',
      inputs: { prompt: 'Mapped.' },
    });
    expect(codeOf(() => stepSettings(definition, { ...NONE, headers, inputs: { prompt: 7 } }))).to.equal(
      'agent_prompt_missing',
    );
    expect(codeOf(() => agentName({ agent: ' ' }))).to.equal('agent_not_named');
  });
});
