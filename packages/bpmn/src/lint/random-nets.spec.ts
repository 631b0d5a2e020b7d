import { expect } from 'chai';
import fc from 'fast-check';
import { compileWorkflows } from '../compile-workflow.js';
import type { WorkflowGraph } from '@countersign/model';
import { exploreNet } from './explore-net.js';
import { buildModel, lint } from './lint.spec.support.js';
import { buildLintScopes } from './scopes.js';
import { buildTokenNet, type TokenNet } from './token-net.js';

/**
 * Returns the joins that fire in at least one reachable marking of a net that was not reduced; `undefined` if the net
 * has too many markings.
 */
function findFiringJoins({ transitions }: TokenNet): ReadonlySet<string> | undefined {
  const fired = new Set<string>();
  const seen = new Set(['0']);
  const pending: number[][] = [[0]];
  for (let tokens = pending.pop(); tokens !== undefined; tokens = pending.pop()) {
    if (seen.size > 3_000 || tokens.length > 8) return undefined;
    for (const { inputs, outputs, join } of transitions) {
      if (!inputs.every((place) => tokens?.includes(place))) continue;
      if (join !== null) fired.add(join);
      const next = [...tokens];
      for (const place of inputs) next.splice(next.indexOf(place), 1);
      next.push(...outputs.map(({ place }) => place));
      const key = next.sort((a, b) => a - b).join();
      if (!seen.has(key)) pending.push(next);
      seen.add(key);
    }
  }
  return fired;
}

/** A row of gateways and jobs in random order, with further arrows that leave gateways. */
const models = fc
  .record({
    kinds: fc.array(fc.constantFrom('x', 'p', 'job'), { minLength: 3, maxLength: 9 }),
    extra: fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 6 }),
  })
  .map(({ kinds, extra }) => {
    const names = kinds.map((kind, index) => `${kind}${index}`);
    const arrows = new Map<string, string>([['start', `start > ${names[0] ?? ''}`]]);
    for (const [index, name] of names.entries())
      arrows.set(`${name} ${String(index + 1)}`, `${name} > ${names[index + 1] ?? 'e'}`);
    for (const [from, to] of extra) {
      const [source, target] = [names[from], names[to]];
      if (source === undefined || target === undefined || from === to || source.startsWith('job')) continue;
      if (arrows.has(`${source} ${to}`)) continue;
      arrows.set(`${source} ${to}`, `${source} > ${target}${source.startsWith('x') ? `: =v${from} = ${to}` : ''}`);
    }
    return buildModel([...arrows.values()]);
  });

async function compileGraph(xml: string): Promise<WorkflowGraph> {
  const { workflows } = await compileWorkflows(xml);
  const [first] = workflows;
  if (first === undefined) throw new Error('no workflow');
  return first.graph;
}

describe('Lint: random nets', function () {
  this.timeout(60_000);

  it('should report never-joins only for gateways that never fire', async () => {
    let reportedJoinCount = 0;
    await fc.assert(
      fc.asyncProperty(models, async (xml) => {
        const [scope] = buildLintScopes(await compileGraph(xml));
        if (scope === undefined) return;
        const firingJoins = findFiringJoins(buildTokenNet(scope.nodes, scope.entries, false));
        if (firingJoins === undefined) return;
        const reportedJoins = (await lint(xml))
          .filter(({ rule }) => rule === 'never-joins')
          .map(({ elementId }) => elementId);
        reportedJoinCount += reportedJoins.length;
        expect(reportedJoins.filter((id) => firingJoins.has(id ?? ''))).to.deep.equal([]);
      }),
      { numRuns: 300 },
    );
    expect(reportedJoinCount).to.be.greaterThan(10);
  });

  it('should find a deadlock in a reduced safe net if and only if the full net has one', async () => {
    let deadlockCount = 0;
    await fc.assert(
      fc.asyncProperty(models, async (xml) => {
        const [scope] = buildLintScopes(await compileGraph(xml));
        if (scope?.tokens.analysis === null || scope === undefined) return;
        const fullExploration = exploreNet(buildTokenNet(scope.nodes, scope.entries, false));
        const reducedExploration = scope.tokens.analysis;
        deadlockCount += fullExploration.deadlocks.length;
        // Exploration does not continue from an unsafe marking, and the two nets may reach it at different steps.
        if (fullExploration.unsafeMarkings.length > 0) return;
        expect(reducedExploration.unsafeMarkings, 'unsafe markings').to.have.length(0);
        expect(reducedExploration.deadlocks.length > 0, 'has deadlocks').to.equal(fullExploration.deadlocks.length > 0);
      }),
      { numRuns: 300 },
    );
    expect(deadlockCount).to.be.greaterThan(25);
  });
});
