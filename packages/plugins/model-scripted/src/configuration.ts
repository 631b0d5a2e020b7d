import { filePath } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

// The API never sets paths, so that the holder of a stolen admin token cannot control the responses of a model.
export const ScriptedModelsConfigurationSchema = z.object({
  Models: z.object({
    Scripted: z.object({
      Directory: filePath()
        .optional()
        .describe(
          'Directory of scripts (.yaml, .yml, .json) that the model provider "scripted" answers from: for examples and tests. Not set, nor File: there is no such provider.',
        ),
      File: filePath().optional().describe('A single script, beside those of Directory.'),
    }),
  }),
});

export type ScriptedModelsConfiguration = z.infer<typeof ScriptedModelsConfigurationSchema>;

export const ScriptedModelsConfiguration: ServiceIdentifier<ScriptedModelsConfiguration> = Symbol.for(
  '@countersign/model-scripted:Configuration',
);
