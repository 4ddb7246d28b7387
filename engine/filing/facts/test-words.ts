import { everyWords, words } from './flat-text.ts'

// Obligations: `shall maintain`, `requires us to maintain`, `is subject to a`.
export const obliges = everyWords(
  String.raw`\b(?:shall|will|must|agrees? to|covenants? to|covenanted to|covenants? and agrees? that|obligat\w+ to)\b[^.;]{0,220}?\b(?:maintain|cause|have|keep|ensure|comply|satisfy|meet|achieve|not exceed)\b|\b(?:required to|requires?|maintain|maintenance of)\b`,
)
// Further wordings in reports.
export const mentionsTest = everyWords(
  String.raw`\b(?:requiring|sets?|establishes|calls? for|stipulates?|provides? for|includes?|including|contains?|containing|subject to|compl(?:y|iance) with|covenants?)\b`,
)
// Words that make a level a condition of something else rather than a test.
export const conditional = words(
  String.raw`\b(?:if|unless|when|whenever|so long as|as long as|provided,? that|provided,? however,? that|to the extent|in the event|only if|would be|would have been|would not)\b`,
)
export const notInForce = words(
  String.raw`\b(?:not (?:be )?required to|no longer (?:requires?|required|contains?|subject|applicable|in effect)|not subject to|not applicable|waive[ds]?|waiver(?! period)|suspended|pre-?petition|eliminated|removed?|removing|previously|formerly|the (?:prior|previous|former|old) (?:[\w-]+ ){0,4}?(?:covenants?|requirements?|tests?|ratios?|levels?)|prior to (?:the|such|this) amendment|had required|(?:does|do|did) not (?:contain|include|require)|no financial (?:maintenance )?covenants?|free of)\b`,
)
// `a minimum liquidity until the Leverage Ratio is less than 2.50 to 1.00`: what ends a requirement is none.
export const endsIt = words(
  String.raw`\buntil (?:such time as |the (?:date|time|day) (?:on which |that |when )?|we demonstrate )?(?:(?:the|its|our|such) )?(?:[\w-]+ ){0,3}$`,
)
// `we will not be subject to a maximum leverage ratio covenant but will be required to maintain liquidity`.
export const isFreeOf = words(String.raw`\bnot be subject to (?:[\w-]+ ){0,4}$`)
export const pricing = words(
  String.raw`\b(?:applicable (?:margin|rate|percentage)|pricing (?:level|grid)|commitment fee|unused fee|level (?:i|ii|iii|iv|v|1|2|3)\b)`,
)
export const defines = words('" (?:means|shall mean|is defined)')
// Whose level is no covenant with lenders: `the rating agency requires`, `capital adequacy regulations require`.
export const askedByOthers = words(
  String.raw`\b(?:rating agenc(?:y|ies)|regulat(?:ions?|ory|ors?)|statut(?:es?|ory)|capital adequacy|listing (?:rules?|standards?))\b[^.;]{0,120}?\b(?:requires?|expects?|prescribes?|must|mandate)\b`,
)
/** Documents and lenders that may ask for a test. */
export const ofLending = words(
  String.raw`\b(?:agreements?|facilit(?:y|ies)|notes|debentures|indentures?|loans?|lines? of credit|revolver|covenants?|banks?|lenders?|amendments?)\b`,
)

/** `if more than 35% of the revolver is drawn, the`, before a test that applies only then. */
export const springs = words(
  String.raw`\b(?:if|when|whenever|at any time) [^.;]{0,120}\b(?:drawn|outstanding|utili[sz]ed|utili[sz]ation|usage|availability)\b[^.;]{0,160}, (?:then )?(?:the |our |its )?(?:\w+ ){0,3}$`,
)

/** `At no time shall the`, before the quantity that it limits. */
export const atNoTime = words(
  String.raw`\b(?:at no time|in no event|under no circumstances) (?:shall|will|may) (?:[\w'-]{1,20} ){0,6}$`,
)
