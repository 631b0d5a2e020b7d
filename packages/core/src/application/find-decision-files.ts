import { isRunEvent, type RunEvent } from '@countersign/model';
import type { DmnDecisionStore } from '../ports/dmn-decisions.js';
import { toTimestamp } from './views/to-json-response.js';

/** DMN file that a run relied on, and its evaluated DMN decisions. */
export type DecisionFileView = {
  digest: string;
  dmnXml: string;
  decisions: { decisionId: string; version: number; deployedAt: string }[];
};

/** Returns the files of all DMN decisions that a run evaluated, in order of first evaluation. */
export async function findDecisionFiles(
  storage: DmnDecisionStore,
  events: readonly RunEvent[],
): Promise<DecisionFileView[]> {
  const versionKeys = events.flatMap((event) =>
    isRunEvent(event, 'decision.evaluated') || isRunEvent(event, 'decision.failed')
      ? [`${event.data.version}@${event.data.decisionId}`]
      : [],
  );
  const files = new Map<string, DecisionFileView>();
  for (const key of new Set(versionKeys)) {
    const [version, decisionId] = [Number.parseInt(key, 10), key.slice(key.indexOf('@') + 1)];
    const record = (await storage.listDecisionVersions(decisionId)).find((each) => each.version === version);
    if (record === undefined) throw new Error(`Version ${version} of DMN decision "${decisionId}" is not stored.`);
    const { digest, deployedAt } = record;
    const file = files.get(digest) ?? { digest, dmnXml: await loadDmnXml(storage, digest), decisions: [] };
    file.decisions.push({ decisionId, version, deployedAt: toTimestamp(deployedAt) });
    files.set(digest, file);
  }
  return [...files.values()];
}

async function loadDmnXml(storage: DmnDecisionStore, digest: string): Promise<string> {
  const dmnXml = await storage.findDecisionFile(digest);
  if (dmnXml === undefined) throw new Error(`The DMN file ${digest} is not stored.`);
  return dmnXml;
}
