import { computeDecisionsDigest } from '@countersign/bpmn/dmn';
import type { DmnDecisionVersionRecord } from '@countersign/core/ports';
import type { DecisionDefinition, WorkflowGraph } from '@countersign/model';
import { expect } from 'chai';
import { DecisionCache } from './decision-cache.js';

const buildDmn = (id: string, text: string): string =>
  `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="drd" name="drd" namespace="n"><decision id="${id}"><literalExpression><text>${text}</text></literalExpression></decision></definitions>`;

/** The part of a storage that the cache reads. */
class FakeStorage {
  readonly reads: string[] = [];
  readonly files = new Map<string, string>();
  readonly newest = new Map<string, DmnDecisionVersionRecord>();

  deploy(decisionId: string, text: string): void {
    const digest = computeDecisionsDigest(buildDmn(decisionId, text));
    this.files.set(digest, buildDmn(decisionId, text));
    const version = (this.newest.get(decisionId)?.version ?? 0) + 1;
    this.newest.set(decisionId, {
      decisionId,
      version,
      digest,
      name: '',
      decisionType: 'literalExpression',
      requiredDecisions: [],
      decisionRequirementsId: 'drd',
      deployedAt: 0,
      deployedBy: '',
    });
  }

  findNewestDecisions(ids: readonly string[]): Promise<ReadonlyMap<string, DmnDecisionVersionRecord>> {
    this.reads.push(ids.join());
    return Promise.resolve(new Map([...this.newest].filter(([id]) => ids.includes(id))));
  }

  findDecisionFile(digest: string): Promise<string | undefined> {
    this.reads.push('file');
    return Promise.resolve(this.files.get(digest));
  }
}

const buildGraph = (...decisionIds: readonly string[]): WorkflowGraph =>
  ({
    nodes: new Map(
      decisionIds.map((literal, index) => [String(index), { kind: 'decisionTask', decisionId: { literal } }]),
    ),
  }) as unknown as WorkflowGraph;
const evaluateOutput = (decision: DecisionDefinition | undefined): unknown => {
  const outcome = decision?.evaluate({ variables: new Map(), now: 0 });
  return outcome !== undefined && 'output' in outcome ? outcome.output : undefined;
};

describe('DecisionCache', () => {
  let storage: FakeStorage;
  let cache: DecisionCache;

  beforeEach(() => {
    storage = new FakeStorage();
    storage.deploy('a', '1');
    storage.deploy('b', '2');
    cache = new DecisionCache(storage);
  });

  it('should load the DMN decisions of a workflow with one query, and cache them', async () => {
    // when
    const first = await cache.runWithDecisions(buildGraph('a', 'none', 'b'), (find) =>
      [find('a'), find('none'), find('b')].map(evaluateOutput),
    );
    const second = await cache.runWithDecisions(buildGraph('a', 'none', 'b'), (find) =>
      [find('a'), find('none')].map(evaluateOutput),
    );

    // then
    expect(first.value).to.deep.equal([1, undefined, 2]);
    expect(second.value).to.deep.equal([1, undefined]);
    expect(second.used).to.deep.equal([
      { decisionId: 'a', version: 1 },
      { decisionId: 'none', version: 0 },
    ]);
    expect(storage.reads).to.deep.equal(['a,none,b', 'file', 'file']);
  });

  it('should repeat the work with an unforeseen DMN decision, and report only those that the last pass used', async () => {
    // given: work that looks up c only if it does not find b
    let executionCount = 0;
    const work = (find: (id: string) => DecisionDefinition | undefined): unknown => {
      executionCount += 1;
      return evaluateOutput(find('b') ?? find('c'));
    };

    // when
    const { value, used } = await cache.runWithDecisions(buildGraph(), work);

    // then
    expect([value, executionCount]).to.deep.equal([2, 2]);
    expect(used).to.deep.equal([{ decisionId: 'b', version: 1 }]);
  });

  it('should use the same version throughout the work, even if a new version is deployed', async () => {
    // when
    const { value, used } = await cache.runWithDecisions(buildGraph('a'), (find) => {
      const before = evaluateOutput(find('a'));
      storage.deploy('a', '100');
      cache.forget([{ decisionId: 'a' }]);
      return [before, evaluateOutput(find('a')), evaluateOutput(find('b'))];
    });

    // then
    expect(value).to.deep.equal([1, 1, 2]);
    expect(used).to.deep.include({ decisionId: 'a', version: 1 });
  });

  it('should repeat the work with a DMN decision that was missing at first, even if other work has loaded it', async () => {
    // given: work that yields between two lookups
    let executionCount = 0;
    const work = async (find: (id: string) => DecisionDefinition | undefined): Promise<unknown[]> => {
      executionCount += 1;
      const first = evaluateOutput(find('a'));
      await cache.runWithDecisions(buildGraph(), (findElsewhere) => evaluateOutput(findElsewhere('a')));
      return [first, evaluateOutput(find('a'))];
    };

    // when
    const { value, used } = await cache.runWithDecisions(buildGraph(), work);

    // then
    expect([value, executionCount]).to.deep.equal([[1, 1], 2]);
    expect(used).to.deep.equal([{ decisionId: 'a', version: 1 }]);
  });

  it('should reload a DMN decision that was forgotten, or if the caller requires the stored version', async () => {
    // given
    const find = (source?: 'stored') =>
      cache.runWithDecisions(buildGraph('a'), (lookUp) => evaluateOutput(lookUp('a')), source);
    await find();
    storage.deploy('a', '10');

    // when
    const values = [(await find()).value, (await find('stored')).value, (await find()).value];
    storage.deploy('a', '20');
    cache.forget([{ decisionId: 'a' }]);

    // then
    expect([...values, (await find()).value]).to.deep.equal([1, 10, 10, 20]);
  });

  it('should not query the database for an impossible decision id', async () => {
    const impossible = ['x'.repeat(256), 'a\0', '\ud800'];
    const { value, used } = await cache.runWithDecisions(buildGraph(...impossible), (find) => impossible.map(find));
    expect(value).to.deep.equal([undefined, undefined, undefined]);
    expect(used).to.deep.equal([]);
    expect(storage.reads).to.deep.equal([]);
  });

  it('should read a DMN file again after a failed read', async () => {
    // given
    const files = new Map(storage.files);
    storage.files.clear();
    const find = () => cache.runWithDecisions(buildGraph(), (lookUp) => evaluateOutput(lookUp('a')));
    expect(await find().catch((error: unknown) => error)).to.be.instanceOf(Error);

    // when
    for (const [digest, file] of files) storage.files.set(digest, file);

    // then
    expect((await find()).value).to.equal(1);
  });
});
