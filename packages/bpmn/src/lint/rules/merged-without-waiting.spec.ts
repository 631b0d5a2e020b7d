import { expect } from 'chai';
import { boundaryTimer, buildModel, findMessages, lintWithRule } from '../lint.spec.support.js';

const RULE = 'merged-without-waiting';
const lintArrows = (...arrows: string[]) => lintWithRule(RULE, buildModel(arrows));

describe('Lint: merged-without-waiting', () => {
  it('should report the element where parallel branches merge, and the step that runs twice', async () => {
    const xml = buildModel(['start > p1', 'p1 > a', 'p1 > b', 'a > x1', 'b > x1', 'x1 > pay', 'pay > e']);

    expect(await lintWithRule(RULE, xml)).to.deep.equal(['warning x1']);
    expect((await findMessages(RULE, xml))[0]).to.contain('"pay" is executed once for each path');
    // branches that merge at a task
    expect(await lintArrows('start > p1', 'p1 > a', 'p1 > b', 'a > pay', 'b > pay', 'pay > e')).to.deep.equal([
      'warning pay',
    ]);
  });

  it('should report each merge, even if a branch contains an exclusive block', async () => {
    const arrows = [
      'start > p1',
      'p1 > x1',
      'x1 > a: =v',
      'x1 > b',
      'a > x2',
      'b > x2',
      'x2 > x3',
      'p1 > c',
      'c > x3',
      'x3 > d',
      'd > x4',
      'p1 > f',
      'f > x4',
      'x4 > g',
      'g > e',
    ];

    expect(await lintArrows(...arrows)).to.have.members(['warning x3', 'warning x4']);
  });

  it('should treat a non-interrupting boundary event as the start of a parallel branch', async () => {
    const arrows = ['start > a', 'a > x1', 'late > remind', 'remind > x1', 'x1 > pay', 'pay > e'];

    expect(await lintWithRule(RULE, buildModel(arrows, boundaryTimer('late', 'a', false), ['late']))).to.deep.equal([
      'warning x1',
    ]);
    expect(await lintWithRule(RULE, buildModel(arrows, boundaryTimer('late', 'a', true), ['late']))).to.deep.equal([]);
  });

  it('should report nothing if no step follows the merge or if the branches are joined first', async () => {
    expect(await lintArrows('start > p1', 'p1 > a', 'p1 > b', 'a > e1', 'b > e1')).to.deep.equal([]);
    expect(await lintArrows('start > p1', 'p1 > a', 'p1 > b', 'a > p2', 'b > p2', 'p2 > c', 'c > e')).to.deep.equal([]);
    expect(await lintArrows('start > x1', 'x1 > a: =v', 'x1 > b', 'a > x2', 'b > x2', 'x2 > c', 'c > e')).to.deep.equal(
      [],
    );
    expect(
      await lintArrows('start > i1', 'i1 > a: =v', 'i1 > b: =w', 'a > i2', 'b > i2', 'i2 > c', 'c > e'),
    ).to.deep.equal([]);
  });

  it('should report nothing if the branch conditions read the same variable', async () => {
    const lintWithSecondCondition = (second: string) =>
      lintArrows(
        'start > p1',
        'p1 > x1',
        'p1 > x2',
        'x1 > a: =v',
        'x1 > e1',
        'x2 > b: =' + second,
        'x2 > e2',
        'a > x3',
        'b > x3',
        'x3 > pay',
        'pay > e3',
      );

    expect(await lintWithSecondCondition('not(v)')).to.deep.equal([]);
    expect(await lintWithSecondCondition('w')).to.deep.equal(['warning x3']);
  });
});
