import { compileDecisionsAside } from '@countersign/bpmn';
import { defineDecision } from '@countersign/bpmn/dmn';
import type { DmnDecisionUse, DmnDecisionVersionRecord, StoragePort } from '@countersign/core/ports';
import type { AdvanceContext, DecisionDefinition, DecisionGraph, WorkflowGraph } from '@countersign/model';
import { LRUCache } from 'lru-cache';
import { namedDecisions } from './named-decisions.js';
import { SharedLoads } from './shared-loads.js';

type FindDecision = NonNullable<AdvanceContext['decisions']>;
type Newest = ReadonlyMap<string, DecisionDefinition | 'none'>;

/** Computed value, and the DMN decisions that it used. */
export interface Settled<T> {
  readonly value: T;
  readonly used: readonly DmnDecisionUse[];
}

/**
 * Cache of compiled DMN decisions. A version never changes. The newest version of a decision (or its absence) is only
 * a guess, which the commit checks (`decisionsUsed`).
 */
export class DecisionCache {
  private readonly files = new LRUCache<string, Promise<DecisionGraph>>({ max: 200 });
  private readonly newest = new LRUCache<string, DecisionDefinition | 'none'>({ max: 5_000 });
  private readonly loads = new SharedLoads<Newest>();
  /** DMN decision ids that a workflow names as literals, so that they can be loaded together. */
  private readonly named = new WeakMap<WorkflowGraph, readonly string[]>();

  constructor(private readonly storage: Pick<StoragePort, 'findNewestDecisions' | 'findDecisionFile'>) {}

  /**
   * Runs work that looks up DMN decisions synchronously. If a DMN decision is not in memory, it is loaded and the work
   * runs again, so `work` must have no effect but its result. While `work` yields, other callers may load and forget
   * decisions; its own lookups always find the same versions.
   *
   * @param trust `remembered`: use cached versions, which the commit checks; `stored`: read the current versions
   */
  async settle<T>(
    graph: WorkflowGraph,
    work: (find: FindDecision) => T | Promise<T>,
    trust: 'remembered' | 'stored' = 'remembered',
  ): Promise<Settled<T>> {
    // Uses one version of each decision throughout, even if another version is deployed concurrently.
    const known = new Map<string, DecisionDefinition | 'none'>();
    const recall = (decisionId: string): DecisionDefinition | 'none' | undefined => {
      const found = known.get(decisionId) ?? (trust === 'remembered' ? this.newest.get(decisionId) : undefined);
      if (found !== undefined) known.set(decisionId, found);
      return found;
    };
    await this.load(
      known,
      this.namedBy(graph).filter((decisionId) => recall(decisionId) === undefined),
      trust,
    );
    for (;;) {
      const asked = new Set<string>();
      const missing = new Set<string>();
      const value = await work((decisionId) => {
        if (!isPossibleId(decisionId)) return undefined;
        asked.add(decisionId);
        const found = missing.has(decisionId) ? undefined : recall(decisionId);
        if (found === undefined) missing.add(decisionId);
        return found === 'none' ? undefined : found;
      });
      if (missing.size === 0) return { value, used: [...asked].map((decisionId) => useOf(decisionId, known)) };
      await this.load(known, [...missing], trust);
    }
  }

  /** Forgets the newest versions of decisions, because other versions may have been deployed. */
  forget(decisions: readonly Pick<DmnDecisionUse, 'decisionId'>[]): void {
    if (decisions.length === 0) return;
    for (const { decisionId } of decisions) this.newest.delete(decisionId);
    this.loads.forgetAll();
  }

  private async load(
    known: Map<string, DecisionDefinition | 'none'>,
    decisionIds: readonly string[],
    trust: 'remembered' | 'stored',
  ): Promise<void> {
    if (decisionIds.length === 0) return;
    const keep = (newest: Newest): void => {
      for (const [decisionId, found] of newest) this.newest.set(decisionId, found);
    };
    const load = (): Promise<Newest> => this.loadNewest(decisionIds);
    // A shared load in progress may have read older versions.
    const newest = trust === 'stored' ? await load() : await this.loads.share(JSON.stringify(decisionIds), load, keep);
    for (const [decisionId, found] of newest) known.set(decisionId, found);
    if (trust === 'stored') {
      this.loads.forgetAll();
      keep(newest);
    }
  }

  private async loadNewest(decisionIds: readonly string[]): Promise<Newest> {
    const records = await this.storage.findNewestDecisions(decisionIds);
    const newest = new Map<string, DecisionDefinition | 'none'>();
    for (const decisionId of decisionIds) {
      const record = records.get(decisionId);
      newest.set(decisionId, record === undefined ? 'none' : await this.define(record));
    }
    return newest;
  }

  private async define(record: DmnDecisionVersionRecord): Promise<DecisionDefinition> {
    const decision = (await this.compiled(record.digest)).decisions.get(record.decisionId);
    if (decision === undefined) throw new Error(`The file of DMN decision "${record.decisionId}" does not contain it.`);
    return defineDecision(decision, record);
  }

  private compiled(digest: string): Promise<DecisionGraph> {
    const known = this.files.get(digest);
    if (known !== undefined) return known;
    const compiling = this.compile(digest);
    this.files.set(digest, compiling);
    compiling.catch(() => {
      if (this.files.peek(digest) === compiling) this.files.delete(digest);
    });
    return compiling;
  }

  private async compile(digest: string): Promise<DecisionGraph> {
    const dmnXml = await this.storage.findDecisionFile(digest);
    if (dmnXml === undefined) throw new Error(`The DMN file ${digest} is not stored.`);
    return compileDecisionsAside(dmnXml);
  }

  private namedBy(graph: WorkflowGraph): readonly string[] {
    const known = this.named.get(graph);
    if (known !== undefined) return known;
    const named = [...new Set(namedDecisions(graph).map(({ decisionId }) => decisionId))].filter(isPossibleId);
    this.named.set(graph, named);
    return named;
  }
}

function useOf(decisionId: string, known: ReadonlyMap<string, DecisionDefinition | 'none'>): DmnDecisionUse {
  const found = known.get(decisionId);
  return { decisionId, version: found === undefined || found === 'none' ? 0 : found.version };
}

/**
 * Returns whether a DMN decision of this id can be deployed at all. An expression may return any string, even one that
 * no database stores.
 */
function isPossibleId(decisionId: string): boolean {
  return decisionId.length <= 255 && decisionId.isWellFormed() && !decisionId.includes('\0');
}
