import { expect } from 'chai';
import type { Json } from '@countersign/model';
import {
  decision,
  compileDecision,
  definitions,
  evaluate,
  evaluateFailure,
  evaluateOutput,
  table,
  type Table,
} from './decisions.spec.support.js';

const RULES = ['> 10 => "large"', '> 5 => "medium"', '> 0 => "small"'];
const SIZES = '"small", "medium", "large"';
const NAMED_OUTPUTS = [{ name: 'size' }, { name: 'price' }];

describe('applyHitPolicy', () => {
  const cases: readonly (readonly [title: string, table: Table, x: unknown, output: Json])[] = [
    ['UNIQUE: the only rule that matches', { rules: RULES }, 3, 'small'],
    ['UNIQUE: null without a match', { rules: RULES }, -3, null],
    [
      'UNIQUE: the only rule that matches, with an explicit hit policy',
      { rules: RULES, attributes: 'hitPolicy="UNIQUE"' },
      3,
      'small',
    ],
    ['FIRST: the first in rule order', { rules: RULES, attributes: 'hitPolicy="FIRST"' }, 11, 'large'],
    ['FIRST: null without a match', { rules: RULES, attributes: 'hitPolicy="FIRST"' }, 0, null],
    [
      'ANY: the output that all matching rules share',
      { rules: ['> 1 => {a: [1, x]}', '> 2 => {a: [1, x]}', '> 9 => 0'], attributes: 'hitPolicy="ANY"' },
      3,
      { a: [1, 3] },
    ],
    [
      'ANY: null if all matching rules return it',
      { rules: ['> 1 => null', '> 2 => null'], attributes: 'hitPolicy="ANY"' },
      3,
      null,
    ],
    [
      'PRIORITY: the output that is listed first in the output values',
      { rules: RULES, outputs: [{ values: SIZES }], attributes: 'hitPolicy="PRIORITY"' },
      11,
      'small',
    ],
    [
      'PRIORITY: numbers by their position in the output values, not by their size',
      { rules: ['- => 1', '- => 10', '- => 2'], outputs: [{ values: '10, 2, 1' }], attributes: 'hitPolicy="PRIORITY"' },
      0,
      10,
    ],
    [
      'PRIORITY: a value that is not listed comes last',
      { rules: ['- => "other"', '- => "large"'], outputs: [{ values: SIZES }], attributes: 'hitPolicy="PRIORITY"' },
      0,
      'large',
    ],
    [
      'PRIORITY: the first rule for equal ranks',
      {
        rules: ['- => "a" | 1', '- => "a" | 2'],
        outputs: [{ name: 'size', values: '"a"' }, { name: 'price' }],
        attributes: 'hitPolicy="PRIORITY"',
      },
      0,
      { size: 'a', price: 1 },
    ],
    [
      'PRIORITY: more than ten output values',
      {
        rules: ['- => 11', '- => 3'],
        outputs: [{ values: '1,2,3,4,5,6,7,8,9,10,11' }],
        attributes: 'hitPolicy="PRIORITY"',
      },
      0,
      3,
    ],
    [
      'OUTPUT ORDER: all outputs, in the order of the output values',
      { rules: RULES, outputs: [{ values: SIZES }], attributes: 'hitPolicy="OUTPUT ORDER"' },
      11,
      ['small', 'medium', 'large'],
    ],
    [
      'OUTPUT ORDER: several outputs, compared from left to right',
      {
        rules: ['- => "b" | 1', '- => "a" | 2', '- => "a" | 1'],
        outputs: [
          { name: 'size', values: '"a", "b"' },
          { name: 'price', values: '1, 2' },
        ],
        attributes: 'hitPolicy="OUTPUT ORDER"',
      },
      0,
      [
        { size: 'a', price: 1 },
        { size: 'a', price: 2 },
        { size: 'b', price: 1 },
      ],
    ],
    [
      'OUTPUT ORDER: strings that contain commas',
      {
        rules: ['- => "b, c"', '- => "a"'],
        outputs: [{ values: '"a", "b, c"' }],
        attributes: 'hitPolicy="OUTPUT ORDER"',
      },
      0,
      ['a', 'b, c'],
    ],
    [
      'PRIORITY: numbers with more digits than a double holds',
      {
        rules: ['- => 1/2', '- => 1/3', '- => 9007199254740993'],
        outputs: [{ values: '1/3, 9007199254740993, 1/2' }],
        attributes: 'hitPolicy="PRIORITY"',
      },
      0,
      1 / 3,
    ],
    [
      'OUTPUT ORDER: numbers with more digits than a double holds',
      {
        rules: ['- => 1/2', '- => 2/3', '- => 0.12345678901234567'],
        outputs: [{ values: '0.12345678901234567, 2/3, 1/2' }],
        attributes: 'hitPolicy="OUTPUT ORDER"',
      },
      0,
      [Number('0.12345678901234567'), 2 / 3, 0.5],
    ],
    [
      'PRIORITY: a number and a string as different values',
      {
        rules: ['- => 1', '- => "1"'],
        outputs: [{ values: '"1", 1' }],
        attributes: 'hitPolicy="PRIORITY"',
      },
      0,
      '1',
    ],
    [
      'RULE ORDER: all outputs, in the order of the rules',
      { rules: RULES, attributes: 'hitPolicy="RULE ORDER"' },
      11,
      ['large', 'medium', 'small'],
    ],
    ['RULE ORDER: a list even for one match', { rules: RULES, attributes: 'hitPolicy="RULE ORDER"' }, 1, ['small']],
    [
      'RULE ORDER: contexts for several outputs',
      { rules: ['- => "a" | 1', '- => "b" | 2'], outputs: NAMED_OUTPUTS, attributes: 'hitPolicy="RULE ORDER"' },
      1,
      [
        { size: 'a', price: 1 },
        { size: 'b', price: 2 },
      ],
    ],
    ['RULE ORDER: null without a match', { rules: RULES, attributes: 'hitPolicy="RULE ORDER"' }, 0, null],
    [
      'COLLECT: all outputs',
      { rules: ['- => 1', '- => 1', '- => null'], attributes: 'hitPolicy="COLLECT"' },
      1,
      [1, 1, null],
    ],
    ['COLLECT: null without a match', { rules: RULES, attributes: 'hitPolicy="COLLECT"' }, 0, null],
    [
      'COLLECT SUM: decimals without binary rounding errors',
      { rules: ['- => 0.1', '- => 0.2'], attributes: 'hitPolicy="COLLECT" aggregation="SUM"' },
      0,
      0.3,
    ],
    [
      'COLLECT SUM: many decimals',
      { rules: Array.from({ length: 100 }, () => '- => 0.1'), attributes: 'hitPolicy="COLLECT" aggregation="SUM"' },
      0,
      10,
    ],
    [
      'COLLECT SUM: numbers with more digits than a double holds',
      { rules: ['- => 1/3', '- => 1/3', '- => 1/3'], attributes: 'hitPolicy="COLLECT" aggregation="SUM"' },
      0,
      1,
    ],
    [
      'COLLECT MIN: decimals',
      {
        rules: ['- => 0.1 + 0.2', '- => 9007199254740993 - 9007199254740992.7'],
        attributes: 'hitPolicy="COLLECT" aggregation="MIN"',
      },
      0,
      0.3,
    ],
    [
      'COLLECT MAX: decimals',
      { rules: ['- => 1/3', '- => 0.25'], attributes: 'hitPolicy="COLLECT" aggregation="MAX"' },
      0,
      1 / 3,
    ],
    [
      'UNIQUE: an entry that compares decimals',
      { rules: ['? - 8.4 = 0.01 => "exact"', '? - 8.4 != 0.01 => "noise"'] },
      8.41,
      'exact',
    ],
    [
      'COLLECT SUM: null without a match',
      { rules: ['> 0 => 1'], attributes: 'hitPolicy="COLLECT" aggregation="SUM"' },
      0,
      null,
    ],
    [
      'COLLECT MIN',
      { rules: ['- => 3', '- => 1', '- => 2'], attributes: 'hitPolicy="COLLECT" aggregation="MIN"' },
      0,
      1,
    ],
    [
      'COLLECT MAX',
      { rules: ['- => 3', '- => 5', '- => 2'], attributes: 'hitPolicy="COLLECT" aggregation="MAX"' },
      0,
      5,
    ],
    [
      'COLLECT COUNT: the number of matching rules, not of distinct values',
      { rules: ['- => "a"', '- => "a"', '> 0 => "b"'], attributes: 'hitPolicy="COLLECT" aggregation="COUNT"' },
      0,
      2,
    ],
    [
      'COLLECT COUNT: null without a match, as in Zeebe',
      { rules: ['> 0 => 1'], attributes: 'hitPolicy="COLLECT" aggregation="COUNT"' },
      0,
      null,
    ],
  ];
  for (const [title, tableOptions, x, output] of cases) {
    it(`should apply ${title}`, async () => {
      expect(await evaluateOutput(tableOptions, { x })).to.deep.equal(output);
    });
  }

  describe('contradicting rules', () => {
    it('should fail if several rules match a UNIQUE table, and name the rules', async () => {
      const compiledDecision = await compileDecision(definitions(decision('d', table({ rules: RULES }))));
      const failure = evaluateFailure(compiledDecision, { x: 7 });
      expect(failure).to.include({ code: 'dmn_not_unique', decisionId: 'd' });
      expect(failure.message).to.equal(
        'The DMN decision "d" has no result: the rules "r2", "r3" match; hit policy UNIQUE allows only one match.',
      );
      const [evaluatedDecision] = failure.evaluatedDecisions;
      expect(evaluatedDecision?.matchedRules.map((rule) => rule.ruleId)).to.deep.equal(['r2', 'r3']);
      expect(evaluatedDecision?.decisionOutput).to.equal(null);
    });

    it('should fail even if the matching rules of a UNIQUE table have equal outputs', async () => {
      const compiledDecision = await compileDecision(
        definitions(decision('d', table({ rules: ['- => 1', '- => 1'] }))),
      );
      expect(evaluateFailure(compiledDecision).code).to.equal('dmn_not_unique');
    });

    it('should fail if the matching rules of an ANY table differ in one output', async () => {
      const tableOptions = {
        rules: ['- => 1 | 2', '- => 1 | 3'],
        outputs: NAMED_OUTPUTS,
        attributes: 'hitPolicy="ANY"',
      };
      const failure = evaluateFailure(await compileDecision(definitions(decision('d', table(tableOptions)))));
      expect(failure.code).to.equal('dmn_any_conflict');
      expect(failure.message).to.contain('"r1", "r2"');
    });

    for (const aggregation of ['SUM', 'MIN', 'MAX']) {
      it(`should fail if the ${aggregation} aggregation includes a value that is not a number`, async () => {
        const tableOptions = {
          rules: ['- => 1', '- => null'],
          attributes: `hitPolicy="COLLECT" aggregation="${aggregation}"`,
        };
        const failure = evaluateFailure(await compileDecision(definitions(decision('d', table(tableOptions)))));
        expect(failure.code).to.equal('dmn_not_a_number');
        expect(failure.message).to.contain('rule "r2"');
      });
    }

    it('should name at most ten matching rules in the message', async () => {
      const tableOptions = { rules: Array.from({ length: 12 }, () => '- => 1') };
      const failure = evaluateFailure(await compileDecision(definitions(decision('d', table(tableOptions)))));
      expect(failure.message).to.contain('"r10" and 2 more match');
    });
  });

  it('should record only the first matching rule of a FIRST table', async () => {
    const tableOptions = { rules: RULES, attributes: 'hitPolicy="FIRST"' };
    const { evaluatedDecisions } = evaluate(await compileDecision(definitions(decision('d', table(tableOptions)))), {
      x: 11,
    });
    expect(evaluatedDecisions[0]?.matchedRules.map((rule) => rule.ruleId)).to.deep.equal(['r1']);
  });
});
