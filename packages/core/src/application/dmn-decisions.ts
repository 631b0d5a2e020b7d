import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { ApiError } from '@countersign/model';
import type { DmnDecisionVersionRecord } from '../ports/dmn-decisions.js';
import { EnginePort } from '../ports/engine.js';
import type { PageRequest } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { contextOf, type Caller } from './caller.js';
import type { PageView } from './run-queries.js';
import {
  decisionView,
  deployedDecisionsView,
  type DecisionDetailView,
  type DecisionView,
  type DeployedDecisionsView,
} from './views/decision-view.js';

/** Deploys and lists DMN decisions. */
@injectable()
export class DmnDecisions {
  /** Cached version lists, by newest version. Versions are never changed or removed. */
  private readonly versions = new LRUCache<string, readonly DmnDecisionVersionRecord[]>({ max: 1_000 });

  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
  ) {}

  /**
   * Deploys all DMN decisions of a file. `created`: whether they are new versions.
   *
   * @throws {ModelRefusedError} if one of them cannot be evaluated faithfully; then nothing is stored
   */
  async deploy(dmnXml: string, caller: Caller): Promise<{ deployed: DeployedDecisionsView; created: boolean }> {
    const deployed = await this.engine.deployDecisions({
      dmnXml,
      context: contextOf(caller, 'deployDecisions', dmnXml),
    });
    return { deployed: deployedDecisionsView(deployed), created: deployed.created };
  }

  async list(page: PageRequest): Promise<PageView<DecisionView>> {
    const { items, nextCursor } = await this.storage.listDecisions(page);
    const views = items.map(async (newest) => decisionView(newest, await this.versionsUpTo(newest)));
    return { items: await Promise.all(views), nextCursor };
  }

  /** @throws {ApiError} `decision_not_found`, `decision_version_not_found` */
  async get(decisionId: string, version?: number): Promise<DecisionDetailView> {
    const newest = await this.storage.findDecisionVersion(decisionId);
    if (newest === undefined) throw new ApiError('decision_not_found', `There is no DMN decision "${decisionId}".`);
    const wanted =
      version === undefined || version === newest.version
        ? newest
        : await this.storage.findDecisionVersion(decisionId, version);
    if (wanted === undefined) {
      throw new ApiError(
        'decision_version_not_found',
        `DMN decision "${decisionId}" has no version ${version}; the newest is ${newest.version}.`,
      );
    }
    return { ...decisionView(wanted, await this.versionsUpTo(newest)), dmnXml: wanted.dmnXml };
  }

  private async versionsUpTo(newest: DmnDecisionVersionRecord): Promise<readonly DmnDecisionVersionRecord[]> {
    const key = `${newest.version}@${newest.decisionId}`;
    const known = this.versions.get(key);
    if (known !== undefined) return known;
    const all = await this.storage.listDecisionVersions(newest.decisionId);
    const listed = all.filter((each) => each.version <= newest.version);
    this.versions.set(key, listed);
    return listed;
  }
}
