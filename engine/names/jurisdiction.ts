/** Names of places; aliases after `=`. */
const PLACES = `Alabama=AL;Alaska=AK;Arizona=AZ;Arkansas=AR;California=CA,Calif,Cal;Colorado=CO;Connecticut=CT,Conn;Delaware=DE,Del;
Florida=FL,Fla;Georgia=GA;Hawaii=HI;Idaho=ID;Illinois=IL,Ill;Indiana=IN,Ind;Iowa=IA;Kansas=KS;Kentucky=KY;Louisiana=LA;Maine=ME;
Maryland=MD;Massachusetts=MA,Mass;Michigan=MI,Mich;Minnesota=MN,Minn;Mississippi=MS;Missouri=MO;Montana=MT;Nebraska=NE,Neb;
Nevada=NV,Nev;New Hampshire=NH;New Jersey=NJ;New Mexico=NM;New York=NY,New York State;North Carolina=NC,No Carolina;
North Dakota=ND,No Dakota;Ohio=OH;Oklahoma=OK,Okla;Oregon=OR,Ore;Pennsylvania=PA,Penn,Penna;Rhode Island=RI;
South Carolina=SC,So Carolina;South Dakota=SD,So Dakota;Tennessee=TN,Tenn;Texas=TX,Tex;Utah=UT;Vermont=VT;Virginia=VA;
Washington=WA,Wash,Washington State;West Virginia=WV,W Virginia;Wisconsin=WI,Wis,Wisc;Wyoming=WY;District of Columbia=DC,Washington DC;
Puerto Rico=PR;Guam;US Virgin Islands=USVI,Virgin Islands US,United States Virgin Islands;American Samoa;
United States=US,USA,United States of America,federally chartered,Federal,US Federal;
Alberta;British Columbia=BC;Manitoba;New Brunswick;Newfoundland and Labrador=Newfoundland;Nova Scotia;Ontario;
Prince Edward Island;Quebec;Saskatchewan;Yukon;Northwest Territories;
Afghanistan;Albania;Algeria;Andorra;Angola;Anguilla;Antigua and Barbuda=Antigua;Argentina;Armenia;Aruba;Australia=AU;Austria;Azerbaijan;
Bahamas;Bahrain;Bangladesh;Barbados;Belarus;Belgium;Belize;Benin;Bermuda;Bhutan;Bolivia;Bonaire;Bosnia and Herzegovina=Bosnia;
Botswana;Brazil=Brasil;British Virgin Islands=BVI,Virgin Islands British,Virgin Islands;Brunei=Brunei Darussalam;Bulgaria;Burkina Faso;
Burundi;Cambodia;Cameroon;Canada=Canada Federal;Cape Verde;Cayman Islands=Grand Cayman,Cayman Is,Cayman;Chad;Chile;
China=PRC,PR China,Peoples Republic of China,People’s Republic of China,Beijing,Shanghai,Mainland China;Colombia=Columbia;Congo;
Costa Rica;Croatia;Cuba;Curacao=Curaçao;Cyprus;Czech Republic=Czechia;Denmark;Djibouti;Dominica;Dominican Republic;Dubai;Ecuador;
Egypt;El Salvador;England=England and Wales,England & Wales,England/Wales;Wales;Scotland;Northern Ireland;Equatorial Guinea;Estonia;Ethiopia;
Faroe Islands;Fiji;Finland;France;French Guiana;French Polynesia;Gabon;Gambia;Germany=Federal of Germany,Deutschland;Ghana;Gibraltar;
Greece;Greenland;Grenada;Guadeloupe;Guatemala;Guernsey;Guinea;Guyana;Haiti;Honduras;
Hong Kong=Hong Kong SAR,Hong Kong China,China Hong Kong,Hong Kong SAR China,HK;Hungary;Iceland;India;Indonesia;Iran;Iraq;Ireland=Eire;
Isle of Man;Israel;Italy;Ivory Coast=Cote d’Ivoire,Côte d’Ivoire;Jamaica;Japan;Jersey=Jersey Channel Islands,Channel Islands;Jordan;
Kazakhstan;Kenya;Kosovo;Kuwait;Kyrgyzstan=Kyrgyz;Labuan=Labuan Malaysia;Laos;Latvia;Lebanon;Lesotho;Liberia;Libya;Liechtenstein;Lithuania;
Luxembourg;Macau=Macao,Macau SAR;North Macedonia=Macedonia;Madagascar;Malawi;Malaysia;Maldives;Mali;Malta;
Marshall Islands=Marshall Is;Martinique;Mauritania;Mauritius;Mexico=México;Moldova;Monaco;Mongolia;Montenegro;Montserrat;Morocco;Mozambique;
Myanmar=Burma;Namibia;Nepal;Netherlands=Holland,NL;Netherlands Antilles=Dutch Antilles;New Caledonia;New Zealand=NZ;Nicaragua;Niger;Nigeria;
Norway;Oman;Pakistan;Panama;Papua New Guinea=PNG;Paraguay;Peru;Philippines;Poland;Portugal;Madeira;Qatar;Qatar Financial Centre;Reunion=Réunion;
Romania;Russia=Russian Federation,Russian;Rwanda;Saint Kitts and Nevis=St Kitts,Nevis,St Kitts and Nevis;Saint Lucia=St Lucia;
Saint Vincent and the Grenadines=St Vincent,St Vincent and the Grenadines;Samoa=Western Samoa;San Marino;Saudi Arabia=KSA;Senegal;Serbia;
Seychelles;Sierra Leone;Singapore;Sint Maarten=St Maarten;Slovakia=Slovak;Slovenia;Somalia;South Africa=RSA;
South Korea=Korea,Korea South,Korea Republic of;Spain;Sri Lanka;St Martin=Saint Martin;Sudan;Suriname;Swaziland=Eswatini;Sweden;Switzerland;Syria;
Taiwan=Taiwan ROC,ROC,Taiwan China;Tajikistan;Tanzania;Thailand;Togo;Tonga;Trinidad and Tobago=Trinidad,Trinidad & Tobago;Tunisia;
Turkey=Türkiye,Turkiye;Turkmenistan;Turks and Caicos=Turks and Caicos Islands,Turks & Caicos;Uganda;Ukraine;
United Arab Emirates=UAE,Abu Dhabi,ADGM,DIFC,Dubai UAE;United Kingdom=UK,Great Britain,GB;Uruguay;Uzbekistan;Vanuatu;Venezuela;Vietnam=Viet Nam;
Yemen;Zambia;Zimbabwe`

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/['’.()]/g, '')
    .replace(/[\s,/_–—-]+/g, ' ')
    .trim()

const byName = new Map(
  PLACES.split(';').flatMap(entry => {
    const [name = '', others = ''] = entry.trim().split('=')
    return [name, ...others.split(',')].filter(each => each !== '').map(each => [plain(each), name] as const)
  }),
)

const AROUND =
  /^(the )?(state of |commonwealth of |republic of |kingdom of |province of |principality of |grand duchy of |sultanate of |states? |the )*|( (republic|corporation|limited liability company|llc))$/g

/** The usual name of a place of incorporation; null where the text is not one. */
export function jurisdictionNamed(written: string): string | null {
  const text = plain(written.replace(/[*†‡§]+|\(\d{1,2}\)/g, ''))
  // `State or` is the head of a column, not Oregon.
  if (text === '' || text.length > 60 || text === 'state or') return null
  const known = byName.get(text) ?? byName.get(text.replace(AROUND, ''))
  if (known) return known
  // `Delaware, U.S.`, `United States, Delaware`. In `Wuxi, China` only the country is certain, and the whole text is kept.
  const parts = written.split(/[,/–—]|\band\b/).map(part => part.trim())
  if (parts.length < 2 || parts.length > 4) return null
  const places = parts.map(part => byName.get(plain(part)) ?? byName.get(plain(part).replace(AROUND, '')))
  const last = places[places.length - 1]
  if (last === undefined && !/\b(usa|us)$/.test(text)) return null
  const [first] = places
  if (places.length === 2 && first && last && (first === last || first === 'United States')) return last
  if (places.length === 2 && first && last === 'United States') return first
  const isPlace = parts.every(part => /^[\p{L}\s.'’()-]{2,40}$/u.test(part) && !LEGAL_FORM.test(part))
  return isPlace ? written.trim() : null
}

/** How company names end. */
export const LEGAL_FORM =
  /(?:^|[\s,.(])(inc|incorporated|l\.?l\.?c|l\.?l\.?p|l\.?p|ltd|ltda|limitada|limited|corp|corporation|co|company|companies|gmbh|ag|s\.?a\.?s?|s\.?a\.? de c\.?v|s\.?r\.?l|s\.?à\.? ?r\.?l|s\.?p\.?a|b\.?v\.?b?\.?a?|n\.?v|plc|pty|pte|k\.?k|k\.?g|a\.?s|a\/s|aps|ab|oy|oyj|kft|zrt|sp\.? z ?o\.?o|s\.?r\.?o|d\.?o\.?o|bhd|trust|partnership|l\.?d\.?c|u\.?l\.?c|s\.?e|n\.?a|ulc|sarl|eood|ooo|lda|c\.?v|bank|fund|association|foundation|ventures?|holdings?|group|partners|s\.?c\.?s|spa|unlimited|eirl|sas|tbk|pt|jsc|cjsc|ojsc|e\.?u|mbh|international|insurance|services)(?:[\s,.)]|$)/i
