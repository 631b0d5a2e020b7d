import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { Facts } from '@countersign/inbox-ui/ui/facts';
import { toOneLine } from '@countersign/inbox-ui/ui/to-one-line';
import { Badge, Title } from '@mantine/core';
import { texts } from '../../texts/index.js';
import { formatBytes } from '../artifacts/format-bytes.js';
import { EvidenceList } from './evidence-list.js';
import { EvidenceVoteItem } from './evidence-vote-item.js';
import type { EvidenceAnswer, EvidenceArtifact, EvidenceComment, EvidenceContents } from './read-evidence-contents.js';
import { ShortDigest } from './short-digest.js';
import { toLine } from './to-line.js';

const t = texts.evidence;

/** Shows what the pack contains. All texts in it are untrusted. */
export function EvidenceContentsView({ contents }: { readonly contents: EvidenceContents }) {
  const { votes, answers, comments, artifacts } = contents;
  return (
    <>
      <EvidenceList title={t.votes} items={votes} empty={t.noVotes}>
        {(vote) => <EvidenceVoteItem vote={vote} />}
      </EvidenceList>
      <section>
        <Title order={2} size="h5" mb={4}>
          {t.contents}
        </Title>
        <EvidenceFacts contents={contents} />
      </section>
      <EvidenceList title={t.answers} items={answers}>
        {(answer) => <Answer answer={answer} />}
      </EvidenceList>
      <EvidenceList title={t.comments} items={comments}>
        {(comment) => <Comment comment={comment} />}
      </EvidenceList>
      <EvidenceList title={t.artifacts} items={artifacts}>
        {(artifact) => <Artifact artifact={artifact} />}
      </EvidenceList>
    </>
  );
}

function EvidenceFacts({ contents }: { readonly contents: EvidenceContents }) {
  const { startedBy, startedAt, workflow, generatedAt, policyDecisions, refusalCount } = contents;
  return (
    <Facts
      facts={[
        [
          t.startedBy,
          <span key="started">
            {toLine(startedBy)} {startedAt !== null && <Timestamp at={startedAt} />}
          </span>,
        ],
        [t.workflow, t.version(toLine(workflow.id), workflow.version)],
        [t.workflowDigest, <ShortDigest key="digest" digest={workflow.digest} copyLabel={t.copyWorkflowDigest} />],
        [t.deployedBy, toLine(workflow.deployedBy)],
        [
          t.policy,
          policyDecisions.size === 0
            ? t.noPolicy
            : [...policyDecisions].map(([decision, count]) => (
                <Badge key={decision} variant="light" color="gray" tt="none">
                  {t.policyCount(nameDecision(decision), count)}
                </Badge>
              )),
        ],
        [t.refusals, refusalCount === 0 ? undefined : refusalCount],
        [t.generated, generatedAt === null ? undefined : <Timestamp key="generated" at={generatedAt} />],
      ]}
    />
  );
}

function nameDecision(decision: string): string {
  const names: Readonly<Record<string, string>> = texts.policies.decisions;
  return Object.hasOwn(names, decision) ? (names[decision] ?? '') : toOneLine(decision, 40);
}

function Answer({ answer: { question, answer, answeredBy, at } }: { readonly answer: EvidenceAnswer }) {
  return (
    <div className="cs-run-evidence-line">
      <span>{toLine(question)}</span>
      <b>{toLine(answer)}</b>
      <span className="cs-run-evidence-detail">
        {t.answeredBy} {toLine(answeredBy)} {at !== null && <Timestamp at={at} />}
      </span>
    </div>
  );
}

function Comment({ comment: { author, title, round, text, at } }: { readonly comment: EvidenceComment }) {
  return (
    <div className="cs-run-evidence-line">
      <span>{toLine(text)}</span>
      <span className="cs-run-evidence-detail">
        {t.commentBy(toLine(author), toLine(title))}
        {round !== null && round > 1 && `, ${t.round(round)}`} {at !== null && <Timestamp at={at} />}
      </span>
    </div>
  );
}

function Artifact({ artifact: { name, version, size, sha256 } }: { readonly artifact: EvidenceArtifact }) {
  return (
    <div className="cs-run-evidence-line">
      <b>{toLine(name)}</b>
      <span className="cs-run-evidence-detail">
        {version !== null && `${t.artifactVersion(version)}, `}
        {size !== null && formatBytes(size)}
      </span>
      <ShortDigest digest={sha256} copyLabel={t.copyArtifactDigest(toLine(name))} />
    </div>
  );
}
