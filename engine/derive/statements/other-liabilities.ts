import type { Line } from './borrowings.ts'

const gaap = (...names: readonly string[]): readonly string[] => names.map(name => `us-gaap:${name}`)
const line = (names: readonly string[], ...holds: readonly Line[]): Line => ({ names, holds })

/** Noncurrent liabilities that stand on nearly every balance sheet, and are no borrowings. */
export const commonNoncurrent: readonly Line[] = [
  line(gaap('OtherLiabilitiesNoncurrent', 'OtherNoncurrentLiabilities')),
  line(
    gaap('DeferredTaxAndOtherLiabilitiesNoncurrent', 'DeferredIncomeTaxesAndOtherLiabilitiesNoncurrent'),
    line(gaap('DeferredIncomeTaxLiabilitiesNet', 'DeferredTaxLiabilitiesNoncurrent')),
  ),
  line(
    gaap(
      'PensionAndOtherPostretirementDefinedBenefitPlansLiabilitiesNoncurrent',
      'PensionAndOtherPostretirementDefinedBenefitPlansNoncurrentLiabilities',
      'PensionAndOtherPostretirementAndPostemploymentBenefitPlansLiabilitiesNoncurrent',
      'PensionAndOtherPostretirementAndPostemploymentBenefitPlansNoncurrentLiabilities',
    ),
    line(
      gaap(
        'DefinedBenefitPensionPlanLiabilitiesNoncurrent',
        'DefinedBenefitPensionPlanNoncurrentLiabilities',
      ),
    ),
    line(
      gaap(
        'OtherPostretirementDefinedBenefitPlanLiabilitiesNoncurrent',
        'OtherPostretirementDefinedBenefitPlanNoncurrentLiabilities',
      ),
    ),
  ),
]

/**
 * Noncurrent liabilities that are no borrowings; notes may tell some of them that another holds. What is left of all noncurrent liabilities beside them is debt: a
 * balance sheet proves by it that the lines of debt are all there.
 */
export const otherNoncurrent: readonly Line[] = [
  ...commonNoncurrent,
  line(gaap('LiabilityForUncertainTaxPositionsNoncurrent', 'AccruedIncomeTaxesNoncurrent')),
  line(gaap('ContractWithCustomerLiabilityNoncurrent', 'DeferredRevenueNoncurrent')),
  ...gaap(
    'OperatingLeaseLiabilityNoncurrent',
    'AssetRetirementObligationsNoncurrent',
    'DerivativeLiabilitiesNoncurrent',
    'DeferredCompensationLiabilityClassifiedNoncurrent',
    'PostemploymentBenefitsLiabilityNoncurrent',
    'AccruedEnvironmentalLossContingenciesNoncurrent',
    'RegulatoryLiabilityNoncurrent',
    'SelfInsuranceReserveNoncurrent',
    'RestructuringReserveNoncurrent',
    'LitigationReserveNoncurrent',
    'DueToRelatedPartiesNoncurrent',
    'AccruedLiabilitiesNoncurrent',
    'OtherAccruedLiabilitiesNoncurrent',
    'AccountsPayableAndAccruedLiabilitiesNoncurrent',
    'LiabilitiesOfDisposalGroupIncludingDiscontinuedOperationNoncurrent',
    'BusinessCombinationContingentConsiderationLiabilityNoncurrent',
    'DecommissioningLiabilityNoncurrent',
    'SpentNuclearFuelObligationNoncurrent',
    'MineReclamationAndClosingLiabilityNoncurrent',
    'OilAndGasReclamationLiabilityNoncurrent',
    'DeferredRentCreditNoncurrent',
    'DeferredRevenueAndCreditsNoncurrent',
    'OtherDeferredCreditsNoncurrent',
    'AccumulatedDeferredInvestmentTaxCredit',
  ).map(name => line([name])),
]

export const currentLiabilities: Line = line(gaap('LiabilitiesCurrent'))
export const noncurrentLiabilities: Line = line(gaap('LiabilitiesNoncurrent'))
