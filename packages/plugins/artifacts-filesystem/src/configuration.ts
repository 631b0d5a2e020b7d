import { filePath } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const ArtifactsFilesystemConfigurationSchema = z.object({
  Artifacts: z.object({
    Directory: filePath()
      .optional()
      .describe('Directory for the content of artifacts. Default: the directory "artifacts" in Data:Directory.'),
  }),
});

export type ArtifactsFilesystemConfiguration = z.infer<typeof ArtifactsFilesystemConfigurationSchema>;

export const ArtifactsFilesystemConfiguration: ServiceIdentifier<ArtifactsFilesystemConfiguration> = Symbol.for(
  '@countersign/artifacts-filesystem:Configuration',
);
