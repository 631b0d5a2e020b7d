import {
  ArtifactStorePort,
  definePlugin,
  LifecycleContribution,
  ReadinessCheckContribution,
} from '@countersign/core/plugin';
import { ArtifactReadiness } from './artifact-readiness.js';
import { ArtifactsFilesystemConfiguration, ArtifactsFilesystemConfigurationSchema } from './configuration.js';
import { FilesystemArtifactStore } from './filesystem-artifact-store.js';

/** Stores the bytes of artifacts in a directory. */
export const artifactsFilesystemPlugin = definePlugin({
  id: 'artifacts-filesystem',
  config: ArtifactsFilesystemConfigurationSchema,
  register({ config, provide, bind, contribute }) {
    provide(ArtifactsFilesystemConfiguration, config);
    bind(ArtifactStorePort, FilesystemArtifactStore);
    contribute(LifecycleContribution, FilesystemArtifactStore);
    contribute(ReadinessCheckContribution, ArtifactReadiness);
  },
});
