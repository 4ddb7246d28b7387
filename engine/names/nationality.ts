/** Adjectives of countries in which companies are organised: `a German corporation`. */
const NATIONALITIES = `Argentine=Argentina;Argentinian=Argentina;Australian=Australia;Austrian=Austria;Bahamian=Bahamas;
Barbadian=Barbados;Belgian=Belgium;Bermudian=Bermuda;Brazilian=Brazil;British=United Kingdom;Canadian=Canada;Chilean=Chile;
Chinese=China;Colombian=Colombia;Croatian=Croatia;Cypriot=Cyprus;Czech=Czech Republic;Danish=Denmark;Dutch=Netherlands;
Egyptian=Egypt;English=England;Finnish=Finland;French=France;German=Germany;Greek=Greece;Hungarian=Hungary;Icelandic=Iceland;
Indian=India;Indonesian=Indonesia;Irish=Ireland;Israeli=Israel;Italian=Italy;Japanese=Japan;Korean=South Korea;Liberian=Liberia;
Malaysian=Malaysia;Maltese=Malta;Mexican=Mexico;Norwegian=Norway;Panamanian=Panama;Peruvian=Peru;Polish=Poland;Portuguese=Portugal;
Romanian=Romania;Russian=Russia;Scottish=Scotland;Singaporean=Singapore;Spanish=Spain;Swedish=Sweden;Swiss=Switzerland;
Taiwanese=Taiwan;Thai=Thailand;Turkish=Turkey;Ukrainian=Ukraine;Venezuelan=Venezuela;Vietnamese=Vietnam`

const byAdjective = new Map(
  NATIONALITIES.split(';').map(entry => {
    const [adjective = '', country = ''] = entry.trim().split('=')
    return [adjective.toLowerCase(), country] as const
  }),
)

/** The country of an adjective; null if it is none. */
export const nationalityNamed = (adjective: string): string | null =>
  byAdjective.get(adjective.trim().toLowerCase()) ?? null
