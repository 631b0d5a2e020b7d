import { Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { RiskBadge } from '../ui/badges.js';
import { DecisionPart } from './decision-part.js';

/** Risk level that the policy has determined, with its risk factors by descending weight. */
export function RiskPart({ approval: { riskLevel, riskFactors } }: { readonly approval: Approval }) {
  const t = texts.approvals;
  const factors = [...riskFactors].sort((one, other) => other.weight - one.weight);
  return (
    <DecisionPart title={t.parts.risk} isCompact>
      <div>
        <RiskBadge level={riskLevel} />
        {factors.length === 0 ? (
          <Text component="span" size="sm" c="dimmed" ms="sm">
            {t.noFactors}
          </Text>
        ) : (
          <ul aria-label={t.factors} className="cs-risk-factors">
            {factors.map(({ code, description, weight }) => (
              <li key={code}>
                {description}{' '}
                <Text component="span" size="xs" c="dimmed" ff="monospace">
                  {code}
                </Text>{' '}
                <Text component="span" size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                  {t.weight(weight)}
                </Text>
              </li>
            ))}
          </ul>
        )}
      </div>
    </DecisionPart>
  );
}
