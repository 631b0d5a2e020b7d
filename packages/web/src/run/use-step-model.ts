import type { RunDetail, WorkflowDetail } from '@countersign/contract';
import { readDefinitions } from '@countersign/inbox-ui/diagram/read-definitions';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { buildModelIndex, type ModelIndex } from './model-index.js';
import { findScopes } from './steps/step-scopes.js';
import { findSources, type StepSource } from './steps/step-sources.js';

export interface StepModel {
  /** `undefined` while the BPMN model is being read. */
  readonly modelIndex: ModelIndex | undefined;
  readonly sources: ReadonlyMap<string, readonly StepSource[]> | undefined;
  readonly scopes: ReadonlyMap<string, string>;
}

const NO_SCOPES: ReadonlyMap<string, string> = new Map();

/** Reads the BPMN model of a run and derives the source and the outer step of each step from it. */
export function useStepModel(run: RunDetail, { digest, workflowId, bpmnXml }: WorkflowDetail): StepModel {
  const { data: modelIndex } = useQuery({
    queryKey: ['process-model', workflowId, digest],
    queryFn: async () => buildModelIndex(await readDefinitions(bpmnXml)),
    staleTime: 'static',
  });
  return useMemo(() => {
    if (modelIndex === undefined) return { modelIndex, sources: undefined, scopes: NO_SCOPES };
    const sources = findSources(run.steps, modelIndex);
    return { modelIndex, sources, scopes: findScopes(run.steps, modelIndex, sources) };
  }, [run.steps, modelIndex]);
}
