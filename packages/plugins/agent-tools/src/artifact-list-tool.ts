import type { ToolCall, ToolContribution, ToolOutput } from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { z } from 'zod';
import { ArtifactDetails, toArtifactDetails, UPLOAD_TAINT } from './artifact-input.js';

const MAX_ARTIFACTS = 200;

const Input = z.strictObject({});
const Output = z.object({
  artifacts: z.array(ArtifactDetails),
  /** Number of omitted artifacts. */
  leftOut: z.int(),
});
type Output = z.output<typeof Output>;

/** Lists the artifacts of the run. */
@injectable()
export class ArtifactListTool implements ToolContribution<typeof Input, typeof Output> {
  readonly name = 'artifact.list';
  readonly description =
    'Lists the artifacts of this run: name, newest version, size in bytes and content type. Use it to find the artifacts that you can read.';
  readonly input = Input;
  readonly output = Output;
  readonly effect = 'read';
  readonly reversible = true;
  readonly unknownOutcome = 'repeat';

  async call(_input: z.output<typeof Input>, { artifacts }: ToolCall): Promise<ToolOutput<Output>> {
    const all = await artifacts.list();
    const listed = all.slice(0, MAX_ARTIFACTS).map(toArtifactDetails);
    // Names are as untrusted as contents.
    return { content: { artifacts: listed, leftOut: all.length - listed.length }, taint: UPLOAD_TAINT };
  }
}
