import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { IconEye } from '@tabler/icons-react';
import { texts } from '../texts/index.js';
import { DecisionPart } from './decision-part.js';
import { getEvidenceKey } from './decision-requirements.js';
import { SeenBadge } from './seen-badge.js';
import type { SeenEvidenceByKey, SeenEvidence } from './seen-evidence.js';
import { EvidencePreview } from './evidence-preview.js';
import type { EvidenceSource } from './evidence-source.js';
import { EvidenceDownload } from './evidence-download.js';

const t = texts.approvals;

interface EvidencePartProps {
  readonly approval: Approval;
  readonly source: EvidenceSource;
  /** Share of each piece of evidence that the user has seen so far. */
  readonly seenEvidence: SeenEvidenceByKey;
  /** Key of the displayed piece. */
  readonly shownKey: string | undefined;
  /** Number of key presses that have requested the next piece. */
  readonly requestCount: number;
  onShow(key: string | undefined): void;
  /** Called when more of a piece has come into view or when its file was downloaded. */
  onSeen(key: string, update: Partial<SeenEvidence>): void;
}

/** The evidence pinned by the approval: artifacts in exact versions. */
export function EvidencePart({
  approval,
  source,
  seenEvidence,
  shownKey,
  requestCount,
  onShow,
  onSeen,
}: EvidencePartProps) {
  const { evidence } = approval.subject;
  return (
    <DecisionPart title={t.parts.evidence}>
      {evidence.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.noEvidence}
        </Text>
      )}
      <Stack component="ul" gap="xs" p={0} m={0} aria-label={t.evidenceList} style={{ listStyle: 'none' }}>
        {evidence.map((each) => {
          const key = getEvidenceKey(each);
          const { name, version, sha256 } = each;
          if (version === null || sha256 === null) {
            return (
              <Text component="li" size="sm" key={name}>
                {t.artifactMissing(name)}
              </Text>
            );
          }
          const open = shownKey === key;
          return (
            <Paper component="li" withBorder p="xs" key={name}>
              <Group justify="space-between" gap="xs">
                <div style={{ minWidth: 0, flex: '1 1 200px' }}>
                  <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                    {t.artifact(name, version)}
                  </Text>
                  <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                    {t.digest} {sha256}
                  </Text>
                </div>
                <Group gap="xs">
                  <SeenBadge seen={seenEvidence.get(key)} />
                  <Button
                    size="compact-sm"
                    variant="light"
                    leftSection={<IconEye size={14} aria-hidden />}
                    aria-expanded={open}
                    aria-label={`${open ? t.hideEvidence : t.openEvidence} ${name}`}
                    onClick={() => onShow(open ? undefined : key)}
                  >
                    {open ? t.hideEvidence : t.openEvidence}
                  </Button>
                  <EvidenceDownload
                    evidence={{ runId: approval.runId, name, version, sha256 }}
                    source={source}
                    onDownloaded={() => onSeen(key, { downloaded: true })}
                  />
                </Group>
              </Group>
              {open && (
                <EvidencePreview
                  runId={approval.runId}
                  name={name}
                  version={version}
                  sha256={sha256}
                  source={source}
                  seen={seenEvidence.get(key)}
                  requestCount={requestCount}
                  onSeen={(update) => onSeen(key, update)}
                />
              )}
            </Paper>
          );
        })}
      </Stack>
    </DecisionPart>
  );
}
