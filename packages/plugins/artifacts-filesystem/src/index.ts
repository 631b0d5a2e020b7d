export { artifactsFilesystemPlugin, artifactsFilesystemPlugin as default } from './plugin.js';
export { FilesystemArtifactStore } from './filesystem-artifact-store.js';
