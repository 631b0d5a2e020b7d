import { filePath } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

// Paths cannot be set through the API, so that the holder of a stolen admin token cannot control the responses of a
// language model.
export const ScriptedModelsConfigurationSchema = z.object({
  Models: z.object({
    Scripted: z.object({
      Directory: filePath()
        .optional()
        .describe(
          'Directory of scripts (.yaml, .yml, .json) with the responses of the model provider "scripted", for examples and tests. If neither Directory nor File is set, the provider does not exist.',
        ),
      File: filePath().optional().describe('A single script, in addition to the scripts in Directory.'),
    }),
  }),
});

export type ScriptedModelsConfiguration = z.infer<typeof ScriptedModelsConfigurationSchema>;

export const ScriptedModelsConfiguration: ServiceIdentifier<ScriptedModelsConfiguration> = Symbol.for(
  '@countersign/model-scripted:Configuration',
);
