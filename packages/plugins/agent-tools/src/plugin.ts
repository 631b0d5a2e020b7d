import { definePlugin, ToolContribution } from '@countersign/core/plugin';
import { ArtifactListTool } from './artifact-list-tool.js';
import { ArtifactReadTool } from './artifact-read-tool.js';
import { ArtifactWriteTool } from './artifact-write-tool.js';
import { RunInputsTool } from './run-inputs-tool.js';

/** Agent tools for the run that the agent works in. */
export const agentToolsPlugin = definePlugin({
  id: 'agent-tools',
  register({ contribute }) {
    contribute(ToolContribution, ArtifactReadTool);
    contribute(ToolContribution, ArtifactListTool);
    contribute(ToolContribution, ArtifactWriteTool);
    contribute(ToolContribution, RunInputsTool);
  },
});

export { agentToolsPlugin as plugin };
