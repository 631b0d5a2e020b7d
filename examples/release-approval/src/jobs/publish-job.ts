import { createHash } from 'node:crypto';
import { injectable } from 'inversify';
import { z } from 'zod';
import { type Job, type JobHandlerContribution, type JsonObject, TerminalFailure } from '@countersign/core/plugin';
import { readInputs } from './read-inputs.js';

const InputsSchema = z.object({ draft: z.object({ notes: z.string(), sha256: z.string() }) });

/** Writes the release notes, byte for byte as approved. */
@injectable()
export class PublishJob implements JobHandlerContribution {
  readonly jobType = 'release-approval.publish';

  async execute(job: Job): Promise<JsonObject> {
    const { draft } = readInputs(job, InputsSchema);
    if (createHash('sha256').update(draft.notes).digest('hex') !== draft.sha256) {
      throw new TerminalFailure('notes_changed', 'The release notes differ from the approved draft.');
    }
    const { name, version } = await job.putArtifact('release-notes.md', draft.notes, 'text/markdown; charset=utf-8');
    return { releaseNotes: { name, version, sha256: draft.sha256 } };
  }
}
