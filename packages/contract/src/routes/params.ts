import { z } from 'zod';
import { artifactNameSchema } from '../schemas/artifact.js';
import { idSchema, workflowIdSchema } from '../schemas/common.js';

export const runParams = z.strictObject({ runId: idSchema });
export const approvalParams = z.strictObject({ approvalId: idSchema });
export const workflowParams = z.strictObject({ workflowId: workflowIdSchema });
export const artifactParams = z.strictObject({ runId: idSchema, artifactName: artifactNameSchema });

/** The bytes of an artifact, or text that no schema describes. */
export const bytesSchema = z.custom<Uint8Array>().meta({ override: { type: 'string', format: 'binary' } });
export const xmlSchema = z.string().meta({ description: 'BPMN 2.0 XML, UTF-8.' });
