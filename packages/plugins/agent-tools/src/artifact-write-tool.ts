import { type ToolCall, type ToolContribution, ToolError, type ToolOutput } from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { z } from 'zod';
import { ArtifactDetails, createArtifactNameSchema, toArtifactDetails } from './artifact-input.js';

/** Maximum length of the content, in characters: the language model must write all of it. */
const MAX_CHARACTERS = 1_048_576;
/** `type/subtype` with parameters (RFC 9110, 8.3.1). */
const CONTENT_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:; ?[\w.-]{1,50}=[\w.+-]{1,100}){0,3}$/;

const Input = z.strictObject({
  name: createArtifactNameSchema(),
  content: z.string().max(MAX_CHARACTERS),
  encoding: z
    .enum(['text', 'base64'])
    .default('text')
    .meta({ description: 'Encoding of the content: text, or base64 for content that is not text.' }),
  contentType: z
    .string()
    .regex(CONTENT_TYPE, 'Expected a media type such as text/markdown.')
    .default('text/plain; charset=utf-8'),
});
type Input = z.output<typeof Input>;
type Output = z.output<typeof ArtifactDetails>;

/** Stores an artifact in the run. A repeated name adds a version: nothing is overwritten. */
@injectable()
export class ArtifactWriteTool implements ToolContribution<typeof Input, typeof ArtifactDetails> {
  readonly name = 'artifact.write';
  readonly description =
    'Stores text, or bytes as base64, as an artifact of this run. If the name is already used, a new version is added; nothing is overwritten. Returns the name, version, size and content type.';
  readonly input = Input;
  readonly output = ArtifactDetails;
  readonly effect = 'write';
  readonly reversible = true;
  // The run stores the artifact of a call only once, even if `RunArtifacts.put` is repeated.
  readonly unknownOutcome = 'repeat';

  async call(input: Input, { artifacts }: ToolCall): Promise<ToolOutput<Output>> {
    const record = await artifacts.put(input.name, decodeContent(input), input.contentType);
    // The result contains no data from outside: only values from the run and from the arguments of the call.
    return { content: toArtifactDetails(record), taint: [] };
  }
}

function decodeContent({ content, encoding }: Input): Buffer {
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
  // Node.js skips characters that are not base64.
  if (encoding === 'base64' && bytes.toString('base64') !== content)
    throw new ToolError('artifact_invalid', 'The content is not valid base64 (RFC 4648, section 4).');
  return bytes;
}
