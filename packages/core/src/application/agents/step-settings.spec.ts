import { expect } from 'chai';
import { isTerminalFailure } from '../../contributions/job-handler.js';
import type { ToolConstraints } from '@countersign/model';
import { DEFINITION } from './agents.spec.support.js';
import { requireAgentName, resolveStepSettings } from './step-settings.js';

const definition = {
  ...DEFINITION,
  model: { ...DEFINITION.model, alternatives: ['fake-2'] },
  budget: { ...DEFINITION.budget, costMicros: 500_000 },
};
const NO_OVERRIDES = { headers: { agent: 'triage', prompt: 'Do.' }, inputs: {}, toolConstraints: null };
const createConstraints = (overrides: Partial<ToolConstraints>): ToolConstraints => ({
  allowed: [],
  denied: [],
  requireApproval: [],
  limits: {},
  ...overrides,
});
const captureErrorCode = (operation: () => unknown): string | undefined => {
  try {
    operation();
    return undefined;
  } catch (error) {
    return isTerminalFailure(error) ? error.code : String(error);
  }
};

describe('agent settings of a step', () => {
  it('should equal the agent definition when the task overrides nothing', () => {
    expect(resolveStepSettings(definition, NO_OVERRIDES)).to.deep.equal({
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
    const settings = resolveStepSettings(definition, {
      ...NO_OVERRIDES,
      headers: {
        ...NO_OVERRIDES.headers,
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
      captureErrorCode(() =>
        resolveStepSettings(definition, {
          ...NO_OVERRIDES,
          headers: { ...NO_OVERRIDES.headers, tools: 'notes.read, shell' },
        }),
      ),
    ).to.equal('agent_tool_not_defined');
    expect(
      captureErrorCode(() =>
        resolveStepSettings(definition, { ...NO_OVERRIDES, headers: { ...NO_OVERRIDES.headers, model: 'other' } }),
      ),
    ).to.equal('agent_header_invalid');
    expect(
      captureErrorCode(() =>
        resolveStepSettings(definition, { ...NO_OVERRIDES, headers: { ...NO_OVERRIDES.headers, 'budget.turns': '0' } }),
      ),
    ).to.equal('agent_header_invalid');
    expect(
      captureErrorCode(() =>
        resolveStepSettings(definition, {
          ...NO_OVERRIDES,
          headers: { ...NO_OVERRIDES.headers, 'budget.cost': 'much' },
        }),
      ),
    ).to.equal('agent_header_invalid');
  });

  it('should use the system prompt and the output schema of the task headers, and refuse invalid ones', () => {
    // given
    const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    const resolveWithHeaders = (overrides: Readonly<Record<string, string>>) =>
      resolveStepSettings(definition, { ...NO_OVERRIDES, headers: { ...NO_OVERRIDES.headers, ...overrides } });

    // then
    expect(resolveWithHeaders({ system: 'You add.', outputSchema: JSON.stringify(schema) })).to.deep.include({
      system: 'You add.',
      outputSchema: schema,
    });
    for (const invalidSchema of [
      '[]',
      'sum',
      '{"type": "array"}',
      '{"type": "object", "properties": {"a": {"type": "text"}}}',
    ]) {
      expect(
        captureErrorCode(() => resolveWithHeaders({ outputSchema: invalidSchema })),
        invalidSchema,
      ).to.equal('agent_header_invalid');
    }
    expect(() =>
      resolveWithHeaders({
        outputSchema: '{"type": "object", "properties": {"id": {"maximum": 9223372036854775807}}}',
      }),
    )
      .to.throw('At "/properties/id/maximum": The number 9223372036854775807 is beyond 9007199254740991')
      .with.property('message')
      .that.contains('Leave it out, or describe the value as a string.');
    expect(captureErrorCode(() => resolveWithHeaders({ system: 'x'.repeat(100_001) }))).to.equal(
      'agent_header_invalid',
    );
  });

  it('should refuse a misspelt header', () => {
    for (const name of ['tool', 'Prompt', 'budget.time', 'resultvariable']) {
      expect(
        captureErrorCode(() =>
          resolveStepSettings(definition, { ...NO_OVERRIDES, headers: { ...NO_OVERRIDES.headers, [name]: 'x' } }),
        ),
        name,
      ).to.equal('agent_header_invalid');
    }
    expect(
      captureErrorCode(() =>
        resolveStepSettings(definition, {
          ...NO_OVERRIDES,
          headers: { ...NO_OVERRIDES.headers, costCentre: '4711', resultVariable: 'r' },
        }),
      ),
    ).to.equal(undefined);
  });

  it('should apply the tool constraints of the policy, but not an empty list of allowed tools', () => {
    // when
    const tools = [
      createConstraints({}),
      createConstraints({ allowed: ['notes.read', 'shell'] }),
      createConstraints({ denied: ['human.ask'] }),
      createConstraints({ allowed: ['notes.read'], denied: ['notes.read'] }),
    ].map((toolConstraints) => resolveStepSettings(definition, { ...NO_OVERRIDES, toolConstraints }).tools);

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
    expect(
      resolveStepSettings(definition, { ...NO_OVERRIDES, headers, inputs: { prompt: 'Mapped.', x: 1 } }),
    ).to.deep.include({
      prompt: 'Mapped.',
      inputs: { x: 1 },
    });
    expect(resolveStepSettings(definition, { ...NO_OVERRIDES, inputs: { prompt: 'Mapped.' } })).to.deep.include({
      prompt: 'Do.',
      inputs: { prompt: 'Mapped.' },
    });
    expect(
      captureErrorCode(() => resolveStepSettings(definition, { ...NO_OVERRIDES, headers, inputs: { prompt: 7 } })),
    ).to.equal('agent_prompt_missing');
    expect(captureErrorCode(() => requireAgentName({ agent: ' ' }))).to.equal('agent_not_named');
  });
});
