import { expect } from 'chai';
import { decision, compileDecision, definitions, requires, table } from './decisions.spec.support.js';
import { defineDecision } from './index.js';

const deployment = { version: 3, digest: 'sha256:3' };

describe('defineDecision', () => {
  it('should return the output, the matched rules of the main DMN decision and the trail of all DMN decisions', async () => {
    // given
    const content =
      decision('base', table({ rules: ['- => 1'] })) +
      decision(
        'd',
        requires('base') +
          table({ id: 't2', inputs: ['base'], rules: ['0 => "no"', '1 => "yes"'] }).replaceAll(
            /id="(in|ie|out|r|inputEntry|outputEntry)(?=[-\d])/g,
            'id="d-$1',
          ),
      );
    const definition = defineDecision(await compileDecision(definitions(content)), deployment);

    // when
    const evaluation = definition.evaluate({ variables: new Map([['x', 1]]), now: 0 });

    // then
    expect(definition).to.include({ decisionId: 'd', version: 3, digest: 'sha256:3' });
    expect(evaluation).to.deep.include({ output: 'yes', matchedRules: ['d-r2'] });
    expect(evaluation.trail['evaluatedDecisions']).to.have.length(2);
    expect(JSON.parse(JSON.stringify(evaluation))).to.deep.equal(evaluation);
  });

  it('should return the failure with the inputs evaluated so far if there is no result', async () => {
    // given
    const definition = defineDecision(
      await compileDecision(definitions(decision('d', table({ rules: ['1 => 1', '- => 2'] })))),
      deployment,
    );

    // when
    const evaluation = definition.evaluate({ variables: new Map([['x', 1]]), now: 0 });

    // then
    expect(evaluation).to.have.nested.property('failure.code', 'dmn_not_unique');
    expect(evaluation).to.have.nested.property('trail.evaluatedDecisions[0].evaluatedInputs[0].inputValue', 1);
    expect(evaluation).not.to.have.property('output');
  });

  it('should propagate errors that are not evaluation failures', async () => {
    const definition = defineDecision(
      await compileDecision(definitions(decision('d', table({ rules: ['1 => 1'] })))),
      deployment,
    );
    const variables = {
      get: () => {
        throw new TypeError('a bug');
      },
    };
    expect(() => definition.evaluate({ variables, now: 0 })).to.throw(TypeError, 'a bug');
  });
});
