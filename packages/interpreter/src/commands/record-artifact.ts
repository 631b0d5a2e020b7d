import {
  type ApprovalSubject,
  type ArtifactRecord,
  type RecordArtifactCommand,
  toRecordedActor,
} from '@countersign/model';
import { buildApprovalSubject } from '../approvals/build-approval-subject.js';
import { reopenApproval } from '../approvals/reopen-approval.js';
import { findPendingApprovals } from '../approvals/find-approval.js';
import { computeSubjectDigest } from '../approvals/subject.js';
import { addActingPerson } from '../contributors.js';
import type { Execution } from '../execution.js';

/**
 * Records a new version of an artifact, even after the run has ended. Reopens the approvals that use it as evidence.
 */
export function* recordArtifact(execution: Execution, command: RecordArtifactCommand): Generator<void, ArtifactRecord> {
  const { artifacts } = execution.state;
  const previousVersion = Object.hasOwn(artifacts, command.name) ? artifacts[command.name] : undefined;
  const version = (previousVersion?.version ?? 0) + 1;
  const { artifactId, name, size, sha256, contentType, actor } = command;
  const previousUploaders =
    previousVersion === undefined
      ? []
      : [...new Set([...(previousVersion.earlier ?? []), previousVersion.by])].filter((id) => id !== actor.id);
  const reference = {
    version,
    sha256,
    by: actor.id,
    ...(previousUploaders.length === 0 ? {} : { earlier: previousUploaders }),
  };
  execution.update({ artifacts: { ...artifacts, [name]: reference } });
  const artifact = {
    artifactId,
    name,
    version,
    size,
    sha256,
    contentType,
    createdAt: execution.now,
    createdBy: actor.id,
  };
  execution.request({ type: 'artifact.put', artifact });
  execution.emit(
    'artifact.created',
    null,
    { artifactId, version, size, sha256 },
    { actor: { ...toRecordedActor(actor) }, name, contentType },
  );
  yield* reopenStaleApprovals(execution, name);
  // Agents and workers read artifacts, so their output may contain data from the uploader.
  yield* addActingPerson(execution, actor);
  return artifact;
}

function* reopenStaleApprovals(execution: Execution, name: string): Generator<void, void> {
  const digest = (subject: ApprovalSubject): string =>
    computeSubjectDigest(subject, (value) => execution.canonicalText(value));
  for (const instance of execution.getInstances()) {
    for (const found of findPendingApprovals(execution, instance)) {
      // For a call, the next vote detects the change, because the policy must also be evaluated.
      if (found.kind !== 'user_task') continue;
      const subject = buildApprovalSubject(execution, found);
      if (subject.evidence.some((item) => item.name === name) && digest(subject) !== found.approval.digest) {
        reopenApproval(execution, found);
      }
    }
    yield;
  }
}
