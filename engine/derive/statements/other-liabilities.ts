import type { Line } from './borrowings.ts'

const gaap = (...names: readonly string[]): readonly string[] => names.map(name => `us-gaap:${name}`)
const line = (names: readonly string[], ...holds: readonly Line[]): Line => ({ names, holds })

/** Common noncurrent liabilities that are not borrowings. */
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
 * Noncurrent liabilities other than borrowings; notes may state some that another includes. The remainder of all
 * noncurrent liabilities is debt, which proves that the lines of debt are complete.
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
