import { z } from 'zod';
import { toolNameSchema } from '../schemas/agent.js';
import { artifactNameSchema } from '../schemas/artifact.js';
import { digestSchema, idSchema, workflowIdSchema } from '../schemas/common.js';
import { dmnDecisionIdSchema } from '../schemas/dmn-decision.js';
import { identitySchema } from '../schemas/identity.js';
import { keyIdSchema } from '../schemas/signing-key.js';

export const runParams = z.strictObject({ runId: idSchema });
export const stepParams = z.strictObject({ runId: idSchema, stepId: idSchema });
export const questionParams = z.strictObject({ runId: idSchema, questionId: idSchema });
export const questionIdParams = z.strictObject({ questionId: idSchema });
export const toolParams = z.strictObject({ toolName: toolNameSchema });
export const approvalParams = z.strictObject({ approvalId: idSchema });
export const absenceParams = z.strictObject({ subject: identitySchema });
export const signingKeyParams = z.strictObject({ keyId: keyIdSchema });
export const policyParams = z.strictObject({ digest: digestSchema });
export const workflowParams = z.strictObject({ workflowId: workflowIdSchema });
export const decisionParams = z.strictObject({ decisionId: dmnDecisionIdSchema });
export const inboundEventParams = z.strictObject({ eventId: idSchema });
export const artifactParams = z.strictObject({ runId: idSchema, artifactName: artifactNameSchema });

/** Bytes of any type, such as the content of an artifact. */
export const bytesSchema = z.custom<Uint8Array>().meta({ override: { type: 'string', format: 'binary' } });
export const bpmnXmlSchema = z.string().meta({ description: 'BPMN 2.0 XML, UTF-8.' });
export const dmnXmlSchema = z.string().meta({ description: 'DMN 1.3 XML, UTF-8.' });
