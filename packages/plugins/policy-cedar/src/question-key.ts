import type { PolicyRequest } from '@countersign/model';
import type { Reads, ReadsByKind } from './reads.js';

/** Tells questions apart that Cedar may answer differently. `null`: policies read data of it, so it has to be encoded first. */
export type QuestionKey = (request: PolicyRequest) => string | null;

type Part = (request: PolicyRequest) => unknown;

/** Names of attributes that differ from run to run, and what of a request they show. */
const STEP_PARTS: Readonly<Record<string, Part>> = {
  name: ({ elementName }) => elementName,
  effect: ({ effect }) => effect,
  ...common(),
};
const CALL_PARTS: Readonly<Record<string, Part>> = {
  // Of its step, which another version of the workflow may call otherwise.
  name: ({ elementName }) => elementName,
  digest: ({ call }) => call?.toolDigest,
  artifacts: ({ call }) => call?.artifacts,
  ...common(),
};

/** The cheap way to a known answer: most steps differ in nothing that any policy reads. */
export function questionKeys({ step, call }: ReadsByKind): QuestionKey {
  const ofStep = reader(step, STEP_PARTS);
  const ofCall = reader(call, CALL_PARTS);
  return (request) => {
    const parts = (request.call === null ? ofStep : ofCall)?.(request);
    if (parts === undefined) return null;
    const { agentName, workflowId, elementId, stepType, jobType, headers, call: asked } = request;
    parts.push(
      agentName,
      workflowId,
      elementId,
      stepType,
      jobType,
      Object.hasOwn(headers, 'tools') ? headers['tools'] : null,
    );
    if (asked !== null) parts.push(asked.tool, asked.effect, asked.reversible, asked.edited);
    return JSON.stringify([request.call === null, ...parts]);
  };
}

function reader(
  { attributes, wholeContext, data }: Reads,
  parts: Readonly<Record<string, Part>>,
): ((request: PolicyRequest) => unknown[]) | undefined {
  if (data.size > 0) return undefined;
  const read = Object.entries(parts).flatMap(([name, part]) => (wholeContext || attributes.has(name) ? [part] : []));
  return (request) => read.map((part) => part(request));
}

function common(): Readonly<Record<string, Part>> {
  return {
    workflowVersion: ({ workflowVersion }) => workflowVersion,
    workflowDigest: ({ workflowDigest }) => workflowDigest,
    startedBy: ({ startedBy }) => startedBy,
    runRisk: ({ runRisk }) => runRisk,
    hosts: ({ hosts }) => hosts,
    domains: ({ hosts }) => hosts,
    ports: ({ ports }) => ports,
    taint: ({ taint }) => taint,
  };
}
