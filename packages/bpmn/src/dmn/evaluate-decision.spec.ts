import { expect } from 'chai';
import {
  compileGraph,
  decision,
  compileDecision,
  definitions,
  evaluate,
  evaluateFailure,
  literal,
  requires,
  table,
  variable,
} from './decisions.spec.support.js';

describe('evaluateDecision', () => {
  it('should evaluate a literal expression', async () => {
    const compiledDecision = await compileDecision(
      definitions(decision('d', variable('v', 'number') + literal('x + 1'))),
    );
    expect(evaluate(compiledDecision, { x: 2 })).to.deep.equal({
      output: 3,
      evaluatedDecisions: [
        {
          decisionId: 'd',
          decisionName: 'Decision d',
          decisionType: 'literalExpression',
          decisionOutput: 3,
          evaluatedInputs: [],
          matchedRules: [],
        },
      ],
    });
  });

  it('should report the id as the name of an unnamed DMN decision', async () => {
    const { evaluatedDecisions } = evaluate(await compileDecision(definitions(decision('d', literal('1'), ''))));
    expect(evaluatedDecisions[0]?.decisionName).to.equal('d');
  });

  it('should evaluate `today()` at the time that is passed to the evaluation', async () => {
    const compiledDecision = await compileDecision(definitions(decision('d', literal('today()'))));
    expect(compiledDecision.evaluate({ variables: new Map(), now: Date.UTC(2024, 8, 3) }).output).to.equal(
      '2024-09-03',
    );
  });

  describe('with required DMN decisions', () => {
    it('should read a required result by its variable name, otherwise by the DMN decision id, but never by the DMN decision name', async () => {
      // given
      const content =
        decision('named', `${variable('the name')}${literal('1')}`) +
        decision('plain', literal('2')) +
        decision('d', requires('named', 'plain') + literal('[`the name`, plain, named, `Decision plain`]'));
      // when
      const { output } = evaluate(await compileDecision(definitions(content)));
      // then
      expect(output).to.deep.equal([1, 2, null, null]);
    });

    it('should hide a run variable with the same name as a required result', async () => {
      const content = decision('x', literal('x + 1')) + decision('d', requires('x') + literal('x * 10'));
      expect(evaluate(await compileDecision(definitions(content)), { x: 1 }).output).to.equal(20);
    });

    it('should not make the results of indirect requirements available', async () => {
      // given
      const content =
        decision('a', literal('1')) +
        decision('b', requires('a') + literal('a')) +
        decision('d', requires('b') + literal('[a, b]'));
      // then
      expect(evaluate(await compileDecision(definitions(content))).output).to.deep.equal([null, 1]);
    });

    it('should evaluate each required DMN decision once, dependencies first', async () => {
      // given
      const content =
        decision('d', requires('b', 'c') + literal('b + c')) +
        decision('c', requires('a') + literal('a * 2')) +
        decision('b', requires('a') + literal('a + 1')) +
        decision('a', literal('x')) +
        decision('unrelated', literal('1'));
      const graph = await compileGraph(definitions(content));
      // when
      const result = evaluate(graph.decisions.get('d')!, { x: 5 });
      // then
      expect(result.output).to.equal(16);
      expect(result.evaluatedDecisions.map((each) => each.decisionId)).to.deep.equal(['a', 'b', 'c', 'd']);
      expect([...graph.decisions.keys()]).to.deep.equal(['d', 'c', 'b', 'a', 'unrelated']);
      expect(graph.decisions.get('d')?.requiredDecisions).to.deep.equal(['b', 'c']);
    });

    it('should compute with intermediate numbers that JSON cannot hold exactly', async () => {
      // given
      const content =
        decision('account', literal('number(x)')) + decision('d', requires('account') + literal('modulo(account, 97)'));

      // when
      const { output, evaluatedDecisions } = evaluate(await compileDecision(definitions(content)), {
        x: '9007199254740993',
      });

      // then
      expect(output).to.equal(33);
      expect(evaluatedDecisions.map(({ decisionOutput }) => decisionOutput)).to.deep.equal(['9007199254740993', 33]);
    });

    it('should record a table input exactly, even if JSON cannot hold the number', async () => {
      // given
      const content = decision('d', table({ inputs: ['number(x)'], rules: ['> 1000 => "many"'] }));

      // when
      const { output, evaluatedDecisions } = evaluate(await compileDecision(definitions(content)), {
        x: '9007199254740993',
      });

      // then
      expect(output).to.equal('many');
      expect(evaluatedDecisions[0]?.evaluatedInputs[0]?.inputValue).to.equal('9007199254740993');
    });

    it('should pass dates between DMN decisions as dates', async () => {
      const content =
        decision('due', literal('date(x) + duration("P1D")')) +
        decision('d', requires('due') + literal('due > date("2024-12-31")'));
      expect(evaluate(await compileDecision(definitions(content)), { x: '2024-12-31' }).output).to.equal(true);
    });

    it('should read one output of a required table with several outputs', async () => {
      const outputs = [{ name: 'price' }, { name: 'days' }];
      const content =
        decision('offer', table({ outputs, rules: ['> 5 => 10 | 2', '<= 5 => 5 | 7'] })) +
        decision(
          'd',
          requires('offer') +
            table({ id: 't2', inputs: ['offer.days'], rules: ['> 3 => "slow"', '<= 3 => "fast"'] })
              .replaceAll(/id="(in|ie|out|r)(?=\d)/g, 'id="d-$1')
              .replaceAll(/id="(inputEntry|outputEntry)/g, 'id="d-$1'),
        );
      expect(evaluate(await compileDecision(definitions(content)), { x: 9 }).output).to.equal('fast');
    });

    it('should read required input data from the variables', async () => {
      const content = `${decision('d', `<informationRequirement id="ir"><requiredInput href="#x"/></informationRequirement>${literal('x')}`)}
        <inputData id="x" name="X">${variable('x', 'number')}</inputData>`;
      expect(evaluate(await compileDecision(definitions(content)), { x: 4 }).output).to.equal(4);
    });

    it('should evaluate a chain of 3,000 DMN decisions', async () => {
      const chain = Array.from({ length: 3_000 }, (_, n) =>
        n === 0
          ? decision('d0', '<literalExpression><text>0</text></literalExpression>', '')
          : decision(
              `d${n}`,
              `<informationRequirement><requiredDecision href="#d${n - 1}"/></informationRequirement><literalExpression><text>d${n - 1} + 1</text></literalExpression>`,
              '',
            ),
      );
      const { output, evaluatedDecisions } = evaluate(
        await compileDecision(definitions(chain.toReversed().join('')), 'd2999'),
      );
      expect(output).to.equal(2_999);
      expect(evaluatedDecisions).to.have.length(3_000);
    });
  });

  describe('with a failing evaluation', () => {
    const failingDecisions =
      decision('first', literal('1')) +
      decision('checked', table({ inputs: ['x', 'assert(y, y != null, "y is missing")'], rules: ['- | - => 1'] })) +
      decision('d', requires('first', 'checked') + literal('checked'));

    it('should report the FEEL error code, the failed DMN decision and the evaluations so far', async () => {
      const failure = evaluateFailure(await compileDecision(definitions(failingDecisions)), { x: 7 });
      expect(failure).to.include({
        code: 'feel_assertion_failed',
        decisionId: 'checked',
        message: 'The DMN decision "checked" has no result: y is missing.',
      });
      expect(failure.evaluatedDecisions.map((each) => [each.decisionId, each.decisionOutput])).to.deep.equal([
        ['first', 1],
        ['checked', null],
      ]);
      expect(failure.evaluatedDecisions[1]?.evaluatedInputs).to.deep.equal([
        { inputId: 'in1', inputName: 'x', inputValue: 7 },
      ]);
    });

    it('should share one budget among all required DMN decisions', async () => {
      // given: an expression that fits the budget, and three that exceed it together
      const slowExpression = literal('count(for i in 1..20000 return i)');
      const singleDecision = decision('a', slowExpression);
      const allDecisions =
        singleDecision +
        decision('b', slowExpression) +
        decision('c', slowExpression) +
        decision('d', requires('a', 'b', 'c') + literal('a + b + c'));
      // then
      expect(evaluate(await compileDecision(definitions(singleDecision), 'a')).output).to.equal(20_000);
      expect(evaluateFailure(await compileDecision(definitions(allDecisions)))).to.include({
        code: 'feel_limit_exceeded',
        decisionId: 'c',
      });
    });

    it('should fail if repeated large outputs of many rules exceed the budget', async () => {
      const rules = Array.from({ length: 500 }, () => '- => x');
      const compiledDecision = await compileDecision(
        definitions(decision('d', table({ rules, attributes: 'hitPolicy="COLLECT"' }))),
      );
      expect(evaluateFailure(compiledDecision, { x: 'long '.repeat(2_000) }).code).to.equal('feel_limit_exceeded');
    });

    it('should report the cost to the meter on success and on failure', async () => {
      for (const expression of ['count(for i in [1, 2] return i)', 'assert(count(for i in [1, 2] return i), false)']) {
        const compiledDecision = await compileDecision(definitions(decision('d', literal(expression))));
        const meter = { steps: 0 };
        const scope = { variables: new Map(), now: 0, meter };
        if (expression.startsWith('assert')) expect(() => compiledDecision.evaluate(scope)).to.throw();
        else compiledDecision.evaluate(scope);
        expect(meter.steps).to.be.above(0);
      }
    });

    it('should propagate errors that are not evaluation failures', async () => {
      const compiledDecision = await compileDecision(definitions(decision('d', literal('x'))));
      const variables = {
        get: () => {
          throw new TypeError('a bug');
        },
      };
      expect(() => compiledDecision.evaluate({ variables, now: 0 })).to.throw(TypeError, 'a bug');
    });
  });
});
