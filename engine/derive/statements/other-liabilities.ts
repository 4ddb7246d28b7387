import type { Line } from './borrowings.ts'

const gaap = (...names: readonly string[]): readonly string[] => names.map(name => `us-gaap:${name}`)
const line = (names: readonly string[], ...holds: readonly Line[]): Line => ({ names, holds })

/**
 * Noncurrent liabilities that are no borrowings. What is left of all noncurrent liabilities beside them is debt: a
 * balance sheet proves by it that the lines of debt are all there.
 */
export const otherNoncurrent: readonly Line[] = [
  line(gaap('OtherLiabilitiesNoncurrent')),
  line(gaap('DeferredIncomeTaxLiabilitiesNet', 'DeferredTaxLiabilitiesNoncurrent')),
  line(
    gaap('PensionAndOtherPostretirementDefinedBenefitPlansLiabilitiesNoncurrent'),
    line(gaap('DefinedBenefitPensionPlanLiabilitiesNoncurrent')),
    line(gaap('OtherPostretirementDefinedBenefitPlanLiabilitiesNoncurrent')),
  ),
  line(gaap('LiabilityForUncertainTaxPositionsNoncurrent', 'AccruedIncomeTaxesNoncurrent')),
  line(gaap('OperatingLeaseLiabilityNoncurrent')),
  line(gaap('AssetRetirementObligationsNoncurrent')),
  line(gaap('ContractWithCustomerLiabilityNoncurrent', 'DeferredRevenueNoncurrent')),
  line(gaap('DerivativeLiabilitiesNoncurrent')),
  line(gaap('DeferredCompensationLiabilityClassifiedNoncurrent')),
  line(gaap('PostemploymentBenefitsLiabilityNoncurrent')),
  line(gaap('AccruedEnvironmentalLossContingenciesNoncurrent')),
  line(gaap('RegulatoryLiabilityNoncurrent')),
  line(gaap('SelfInsuranceReserveNoncurrent')),
  line(gaap('RestructuringReserveNoncurrent')),
  line(gaap('DueToRelatedPartiesNoncurrent')),
  line(gaap('AccruedLiabilitiesNoncurrent')),
  line(gaap('AccumulatedDeferredInvestmentTaxCredit')),
]

export const currentLiabilities: Line = line(gaap('LiabilitiesCurrent'))
export const noncurrentLiabilities: Line = line(gaap('LiabilitiesNoncurrent'))
