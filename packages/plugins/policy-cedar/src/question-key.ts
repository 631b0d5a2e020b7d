import type { PolicyRequest } from '@countersign/model';
import type { Reads, ReadsByKind } from './reads.js';

/**
 * Returns a key of requests for which Cedar's results are equal. `null` if policies read data of the request, so it
 * must be encoded first.
 */
export type QuestionKey = (request: PolicyRequest) => string | null;

type Part = (request: PolicyRequest) => unknown;

/** Attributes that differ from run to run, and the part of a request they contain. */
const STEP_PARTS: Readonly<Record<string, Part>> = {
  name: ({ elementName }) => elementName,
  effect: ({ effect }) => effect,
  ...common(),
};
const CALL_PARTS: Readonly<Record<string, Part>> = {
  // Name of its step, which may differ in another workflow version.
  name: ({ elementName }) => elementName,
  digest: ({ call }) => call?.toolDigest,
  artifacts: ({ call }) => call?.artifacts,
  ...common(),
};

/** Returns the fast path to a known result: most steps do not differ in anything that a policy reads. */
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
