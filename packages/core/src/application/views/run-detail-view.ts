import type { JsonObject } from '@countersign/model';
import type { RunArtifact, RunRecord } from '../../ports/records.js';
import { toArtifactView, findNewestVersions, type ArtifactView } from './artifact-view.js';
import { toRunView, type RunView } from './run-view.js';
import type { StepView } from './step-view.js';

/** A run with its step history. */
export type RunDetailView = RunView & {
  inputs: JsonObject;
  variables: JsonObject;
  steps: StepView[];
  artifacts: ArtifactView[];
};

export function toRunDetailView(
  run: RunRecord,
  inputs: JsonObject,
  variables: JsonObject,
  steps: StepView[],
  artifacts: readonly RunArtifact[],
): RunDetailView {
  return { ...toRunView(run), inputs, variables, steps, artifacts: findNewestVersions(artifacts).map(toArtifactView) };
}
