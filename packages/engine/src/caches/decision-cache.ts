import { compileDecisionsOffThread } from '@countersign/bpmn';
import { defineDecision } from '@countersign/bpmn/dmn';
import type { DmnDecisionUse, DmnDecisionVersionRecord, StoragePort } from '@countersign/core/ports';
import type { AdvanceContext, DecisionDefinition, DmnDecisionGraph, WorkflowGraph } from '@countersign/model';
import { LRUCache } from 'lru-cache';
import { findDecisionReferences } from './decision-references.js';
import { SharedLoads } from './shared-loads.js';

type FindDecision = NonNullable<AdvanceContext['decisions']>;
type NewestDecisions = ReadonlyMap<string, DecisionDefinition | 'none'>;

/** Computed value, and the DMN decisions that it used. */
export interface RunWithDecisionsResult<T> {
  readonly value: T;
  readonly used: readonly DmnDecisionUse[];
}

/**
 * Cache of compiled DMN decisions. A version never changes. The newest version of a DMN decision (or its absence) is
 * only a guess, which the commit checks (`decisionsUsed`).
 */
export class DecisionCache {
  private readonly compiledFiles = new LRUCache<string, Promise<DmnDecisionGraph>>({ max: 200 });
  private readonly newestVersions = new LRUCache<string, DecisionDefinition | 'none'>({ max: 5_000 });
  private readonly loads = new SharedLoads<NewestDecisions>();
  /** DMN decision ids that a workflow names as literals, so that they can be loaded together. */
  private readonly decisionIdsByGraph = new WeakMap<WorkflowGraph, readonly string[]>();

  constructor(private readonly storage: Pick<StoragePort, 'findNewestDecisions' | 'findDecisionFile'>) {}

  /**
   * Calls `work`, which looks up DMN decisions synchronously. If a DMN decision is not in memory, it is loaded and
   * `work` is called again, so it must have no side effects. While `work` yields, other callers may load and forget DMN
   * decisions; its own lookups always find the same versions.
   *
   * @param source `remembered`: use cached versions, which the commit checks; `stored`: read the current versions
   */
  async runWithDecisions<T>(
    graph: WorkflowGraph,
    work: (find: FindDecision) => T | Promise<T>,
    source: 'remembered' | 'stored' = 'remembered',
  ): Promise<RunWithDecisionsResult<T>> {
    // Uses one version of each DMN decision throughout, even if another version is deployed concurrently.
    const known = new Map<string, DecisionDefinition | 'none'>();
    const recall = (decisionId: string): DecisionDefinition | 'none' | undefined => {
      const found =
        known.get(decisionId) ?? (source === 'remembered' ? this.newestVersions.get(decisionId) : undefined);
      if (found !== undefined) known.set(decisionId, found);
      return found;
    };
    await this.load(
      known,
      this.findDecisionIds(graph).filter((decisionId) => recall(decisionId) === undefined),
      source,
    );
    for (;;) {
      const requested = new Set<string>();
      const missing = new Set<string>();
      const value = await work((decisionId) => {
        if (!isValidId(decisionId)) return undefined;
        requested.add(decisionId);
        const found = missing.has(decisionId) ? undefined : recall(decisionId);
        if (found === undefined) missing.add(decisionId);
        return found === 'none' ? undefined : found;
      });
      if (missing.size === 0)
        return { value, used: [...requested].map((decisionId) => toDecisionUse(decisionId, known)) };
      await this.load(known, [...missing], source);
    }
  }

  /** Forgets the newest versions of DMN decisions, because newer versions may have been deployed. */
  forget(decisions: readonly Pick<DmnDecisionUse, 'decisionId'>[]): void {
    if (decisions.length === 0) return;
    for (const { decisionId } of decisions) this.newestVersions.delete(decisionId);
    this.loads.forgetAll();
  }

  private async load(
    known: Map<string, DecisionDefinition | 'none'>,
    decisionIds: readonly string[],
    source: 'remembered' | 'stored',
  ): Promise<void> {
    if (decisionIds.length === 0) return;
    const remember = (newest: NewestDecisions): void => {
      for (const [decisionId, found] of newest) this.newestVersions.set(decisionId, found);
    };
    const load = (): Promise<NewestDecisions> => this.loadNewest(decisionIds);
    // A shared load in progress may have read older versions.
    const newest =
      source === 'stored' ? await load() : await this.loads.share(JSON.stringify(decisionIds), load, remember);
    for (const [decisionId, found] of newest) known.set(decisionId, found);
    if (source === 'stored') {
      this.loads.forgetAll();
      remember(newest);
    }
  }

  private async loadNewest(decisionIds: readonly string[]): Promise<NewestDecisions> {
    const records = await this.storage.findNewestDecisions(decisionIds);
    const newest = new Map<string, DecisionDefinition | 'none'>();
    for (const decisionId of decisionIds) {
      const record = records.get(decisionId);
      newest.set(decisionId, record === undefined ? 'none' : await this.toDefinition(record));
    }
    return newest;
  }

  private async toDefinition(record: DmnDecisionVersionRecord): Promise<DecisionDefinition> {
    const decision = (await this.loadCompiled(record.digest)).decisions.get(record.decisionId);
    if (decision === undefined) throw new Error(`The file of DMN decision "${record.decisionId}" does not contain it.`);
    return defineDecision(decision, record);
  }

  private loadCompiled(digest: string): Promise<DmnDecisionGraph> {
    const known = this.compiledFiles.get(digest);
    if (known !== undefined) return known;
    const compiling = this.compile(digest);
    this.compiledFiles.set(digest, compiling);
    compiling.catch(() => {
      if (this.compiledFiles.peek(digest) === compiling) this.compiledFiles.delete(digest);
    });
    return compiling;
  }

  private async compile(digest: string): Promise<DmnDecisionGraph> {
    const dmnXml = await this.storage.findDecisionFile(digest);
    if (dmnXml === undefined) throw new Error(`The DMN file ${digest} is not stored.`);
    return compileDecisionsOffThread(dmnXml);
  }

  private findDecisionIds(graph: WorkflowGraph): readonly string[] {
    const known = this.decisionIdsByGraph.get(graph);
    if (known !== undefined) return known;
    const decisionIds = [...new Set(findDecisionReferences(graph).map(({ decisionId }) => decisionId))].filter(
      isValidId,
    );
    this.decisionIdsByGraph.set(graph, decisionIds);
    return decisionIds;
  }
}

function toDecisionUse(decisionId: string, known: ReadonlyMap<string, DecisionDefinition | 'none'>): DmnDecisionUse {
  const found = known.get(decisionId);
  return { decisionId, version: found === undefined || found === 'none' ? 0 : found.version };
}

/**
 * Returns whether a DMN decision with this id can be deployed. An expression may return any string, even one that the
 * database cannot store.
 */
function isValidId(decisionId: string): boolean {
  return decisionId.length <= 255 && decisionId.isWellFormed() && !decisionId.includes('\0');
}
